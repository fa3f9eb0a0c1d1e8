// Short ways to build elements of the page.

type Attributes = Readonly<Record<string, string | number | boolean>>;
type Child = Node | string;

/** A `true` attribute is set empty, a `false` one is left out. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[Tag] {
    const element = document.createElement(tag);
    setAttributes(element, attributes);
    element.append(...children);
    return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

export function makeSvg<Tag extends keyof SVGElementTagNameMap>(
    tag: Tag,
    attributes: Attributes = {},
    ...children: Child[]
): SVGElementTagNameMap[Tag] {
    const element = document.createElementNS(svgNamespace, tag);
    setAttributes(element, attributes);
    element.append(...children);
    return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === false) continue;
        element.setAttribute(name, value === true ? "" : String(value));
    }
}

/** An icon of one path on a 24 by 24 field, in the colour of the text. */
export function icon(path: string): SVGSVGElement {
    return makeSvg("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", fill: "currentColor" }, makeSvg("path", { d: path }));
}

/** Sets the text only where it differs, so that a replay does not lay the page out again at every frame. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}
