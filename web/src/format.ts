// Numbers and keys as the reader sees them.

const noValue = "\u2013";

/** Four significant digits unless told; plain between 1e-3 and 1e6, else with an exponent. */
export function formatNumber(value: number | null | undefined, digits = 4): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return noValue;
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e-3 && size < 1e6 ? plain(value, digits) : value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
    return text.replace("-", "\u2212").replace("e-", "e\u2212");
}

function plain(value: number, digits: number): string {
    if (Number.isInteger(value)) return String(value);
    const rounded = Number(value.toPrecision(digits));
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
    return rounded.toFixed(Math.min(20, decimals)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

export function formatQuantity(value: number | null | undefined, unit: string): string {
    const text = formatNumber(value);
    return text === noValue || unit === "" ? text : `${text} ${unit}`;
}

/** Decimals that tell neighbouring frames apart, at most 6. */
export function timeDecimals(times: Float64Array): number {
    let least = Infinity;
    for (let frame = 1; frame < times.length; frame++) {
        const gap = (times[frame] ?? 0) - (times[frame - 1] ?? 0);
        if (gap > 0) least = Math.min(least, gap);
    }
    if (!Number.isFinite(least)) return 3;
    return Math.min(6, Math.max(2, Math.ceil(-Math.log10(least) - 1e-6)));
}

export function formatTime(time: number, decimals: number): string {
    return time.toFixed(decimals).replace("-", "\u2212");
}

/** "linear_drift" -> "linear drift". */
export function humanKey(key: string): string {
    return key.replace(/_/g, " ");
}
