// Light or dark as the system asks, with the colours of the style sheet for what is drawn without it.

export interface Theme {
    readonly background: string;
    readonly panel: string;
    readonly foreground: string;
    readonly muted: string;
    readonly line: string;
    readonly accent: string;
    readonly contact: string;
    readonly force: string;
    readonly dark: boolean;
}

const darkQuery = "(prefers-color-scheme: dark)";

export function readTheme(): Theme {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string): string => style.getPropertyValue(name).trim();
    return {
        background: value("--stage"),
        panel: value("--panel"),
        foreground: value("--foreground"),
        muted: value("--muted"),
        line: value("--line"),
        accent: value("--accent"),
        contact: value("--contact"),
        force: value("--force"),
        dark: matchMedia(darkQuery).matches,
    };
}

export function onThemeChange(listener: () => void): void {
    matchMedia(darkQuery).addEventListener("change", listener);
}
