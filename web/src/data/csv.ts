// Reads the comma-separated tables of a run: a header of `name [unit]` cells, then numbers and names.

export interface Column {
    readonly name: string;
    readonly unit: string;
    /** Finite values, one per kept row; empty for a column of texts. */
    readonly numbers: Float64Array;
    /** One per kept row; empty for a column of numbers. */
    readonly texts: readonly string[];
}

export interface Table {
    readonly columns: readonly Column[];
    readonly rowCount: number;
    /** What was left out and why, in words for the reader of the page. */
    readonly problems: readonly string[];
}

const decimalNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const notNumbers: ReadonlySet<string> = new Set(["nan", "-nan", "inf", "-inf"]);

/** NaN for anything that is not a plain finite decimal number. */
export function parseNumber(cell: string): number {
    const text = cell.trim();
    if (!decimalNumber.test(text)) return NaN;
    const value = Number(text);
    return Number.isFinite(value) ? value : NaN;
}

export function parseHeaderCell(cell: string): { name: string; unit: string } {
    const text = cell.trim();
    const match = /^(.*?)\s*\[([^\]]*)\]$/.exec(text);
    return match ? { name: match[1] ?? "", unit: match[2] ?? "" } : { name: text, unit: "" };
}

/** Rows with a wrong number of cells or a cell that is no finite number are left out and counted in `problems`: a run
 * that was interrupted may end in half a row, and nothing that is not a number may reach the picture. With "gaps", nan
 * and inf are let through: some tables say by them that there is no such value, or that nothing is known. */
export function parseTable(text: string, textColumns: readonly string[] = [], notFinite: "refused" | "gaps" = "refused"): Table {
    const lines = text.split("\n");
    let headerLine = 0;
    while (headerLine < lines.length && (lines[headerLine] ?? "").trim() === "") headerLine++;
    if (headerLine === lines.length) return { columns: [], rowCount: 0, problems: [] };

    const heads = (lines[headerLine] ?? "").split(",").map(parseHeaderCell);
    const isText = heads.map((head) => textColumns.includes(head.name));
    const capacity = lines.length - headerLine - 1;
    const numbers = heads.map((_, index) => new Float64Array(isText[index] ? 0 : capacity));
    const texts = heads.map((): string[] => []);

    let rowCount = 0;
    let skipped = 0;
    let firstProblem = "";
    for (let line = headerLine + 1; line < lines.length; line++) {
        const row = lines[line] ?? "";
        if (row === "" || row.trim() === "") continue;
        const cells = row.split(",");
        const problem = storeRow(cells, heads, isText, numbers, texts, rowCount, notFinite === "gaps");
        if (problem === "") {
            rowCount++;
        } else {
            skipped++;
            if (firstProblem === "") firstProblem = `line ${line - headerLine + 1}: ${problem}`;
        }
    }
    const columns = heads.map((head, index) => ({
        name: head.name,
        unit: head.unit,
        numbers: (numbers[index] ?? new Float64Array(0)).subarray(0, isText[index] ? 0 : rowCount),
        texts: (texts[index] ?? []).slice(0, isText[index] ? rowCount : 0),
    }));
    const problems = skipped === 0 ? [] : [`${skipped} ${skipped === 1 ? "row" : "rows"} left out; first at ${firstProblem}`];
    return { columns, rowCount, problems };
}

/** Writes one row at `rowIndex`; a later good row overwrites what a bad one left there. */
function storeRow(
    cells: readonly string[],
    heads: readonly { name: string }[],
    isText: readonly boolean[],
    numbers: readonly Float64Array[],
    texts: readonly string[][],
    rowIndex: number,
    gaps: boolean,
): string {
    if (cells.length !== heads.length) return `found ${cells.length} cells, expected ${heads.length}`;
    for (let index = 0; index < cells.length; index++) {
        const cell = cells[index] ?? "";
        if (isText[index]) {
            const column = texts[index];
            if (column) column[rowIndex] = cell.trim();
            continue;
        }
        const value = parseNumber(cell);
        if (Number.isNaN(value) && !(gaps && notNumbers.has(cell.trim()))) return `"${cell.trim().slice(0, 40)}" in column ${heads[index]?.name ?? ""} is not a finite number`;
        const column = numbers[index];
        if (column) column[rowIndex] = Number.isNaN(value) && cell.trim() === "inf" ? Infinity : value;
    }
    return "";
}

export function findColumn(table: Table, name: string): Column | undefined {
    return table.columns.find((column) => column.name === name);
}
