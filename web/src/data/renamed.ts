// Names that files of version 0.1 have, beside those of today.
const kinds: Readonly<Record<string, string>> = { touch: "begin", release: "end" };

/** The present name of a kind of event. */
export function presentKind(name: string): string {
    return kinds[name] ?? name;
}

/** What stands under the first key that the object has. */
export function firstOf(item: Readonly<Record<string, unknown>>, ...keys: readonly string[]): unknown {
    const key = keys.find((name) => name in item);
    return key === undefined ? undefined : item[key];
}
