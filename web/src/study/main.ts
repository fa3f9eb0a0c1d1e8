// The page of a study: what can be chosen in it. Figures without a choice are drawn by the program.
import { make } from "../ui/dom";
import { columnsOf, labelOf, readStudy, type Study, valueText, worstRows } from "./data";
import { Scatter } from "./scatter";
import { Threads } from "./threads";

const statusNames = ["ok", "doubtful", "failed"];
const mostFailed = 20;

function chooser(label: string, choices: readonly (readonly [string, string])[], value: string, onChange: (value: string) => void): { element: HTMLElement; select: HTMLSelectElement } {
    const select = make("select", { "aria-label": label }, ...choices.map(([key, text]) => make("option", { value: key, selected: key === value }, text)));
    select.addEventListener("change", () => onChange(select.value));
    return { element: make("label", {}, label, select), select };
}

/** The run that was picked: its numbers, and its replay or the command that makes it. */
function runCard(study: Study): { element: HTMLElement; show(row: number): HTMLAnchorElement | null } {
    const element = make("div", { class: "run-card", "aria-live": "polite" }, make("h3", {}, "A run"), make("p", { class: "note" }, "Point at a run and click it, or go from run to run with the arrow keys, to see its numbers and open its replay."));
    return {
        element,
        show(row) {
            const run = study.run[row] ?? 0;
            const report = study.report[String(run)];
            const place = `${study.name}_${run}.run/report.html`;
            const command = `fender study run ${study.name}.yaml --only ${run} --keep`;
            const link = report === undefined ? null : make("a", { href: encodeURI(report), target: "_blank", rel: "noopener" }, `Open the replay of run ${run}`);
            const copy = make("button", { type: "button" }, "Copy");
            copy.addEventListener("click", () => void navigator.clipboard?.writeText(command).then(() => (copy.textContent = "Copied")));
            const reason = study.reason[String(run)];
            element.replaceChildren(
                make("h3", {}, `Run ${run}: ${statusNames[study.status[row] ?? 0] ?? ""}`),
                ...(reason ? [make("p", {}, reason)] : []),
                ...(link
                    ? [make("p", {}, link)]
                    : [
                          make("p", { class: "note" }, "Its replay is made by this command:"),
                          make("pre", {}, make("code", {}, command)),
                          make("p", {}, copy, " ", ...(study.name === "STUDY" ? [] : [make("a", { href: encodeURI(place), target: "_blank", rel: "noopener" }, "Open it"), " when it was run in the folder of this page."])),
                      ]),
                make("dl", {}, ...study.columns.flatMap((column) => [make("dt", {}, labelOf(column)), make("dd", {}, valueText(column, row))]), make("dt", {}, "hash"), make("dd", {}, make("code", {}, study.hash[String(run)] ?? "\u2013"))),
            );
            return link;
        },
    };
}

function worstTable(study: Study, section: HTMLElement, onPick: (row: number, opens: boolean) => void): { mark(row: number): void } {
    const kept = columnsOf(study, "kept");
    const sortable = [...kept, ...columnsOf(study, "input").filter((index) => study.stride === 1 && !study.columns[index]?.words)];
    const order = [...kept, ...columnsOf(study, "input"), ...columnsOf(study, "outcome")];
    const body = make("tbody");
    const note = make("p", { class: "note" });
    let [column, largest, picked] = [sortable[0] ?? -1, true, -1];
    const mark = (row: number): void => {
        picked = row;
        for (const line of body.rows) {
            line.classList.toggle("picked", line.dataset["row"] === String(row));
            line.toggleAttribute("aria-current", line.dataset["row"] === String(row));
        }
    };
    const fill = (): void => {
        const { failed, others } = worstRows(study, column, largest, mostFailed, study.worst - mostFailed);
        note.textContent = `Failed runs first, at most ${mostFailed}; then the ${largest ? "largest" : "least"} of ${study.columns[column]?.name ?? "nothing"} among all ${study.rows} runs.`;
        body.replaceChildren(
            ...[...failed, ...others].map((row) => {
                const run = study.run[row] ?? 0;
                const line = make(
                    "tr",
                    { class: "run", "data-row": row },
                    make("th", { scope: "row" }, make("button", { type: "button" }, `${run}`)),
                    make("td", {}, statusNames[study.status[row] ?? 0] ?? ""),
                    ...order.map((index) => make("td", {}, study.columns[index] ? valueText(study.columns[index], row) : "")),
                    make("td", { class: "reason" }, study.reason[String(run)] ?? ""),
                );
                line.addEventListener("click", () => onPick(row, true));
                return line;
            }),
        );
        mark(picked);
    };
    const byColumn = chooser("then by", sortable.map((index) => [String(index), study.columns[index]?.name ?? ""] as const), String(column), (value) => {
        column = Number(value);
        fill();
    });
    const byOrder = chooser("order", [["largest", "largest first"], ["least", "least first"]], "largest", (value) => {
        largest = value === "largest";
        fill();
    });
    const head = make("thead", {}, make("tr", {}, ...["run", "status"].map((text) => make("th", { scope: "col" }, text)), ...order.map((index) => make("th", { scope: "col" }, study.columns[index] ? labelOf(study.columns[index]) : "")), make("th", { scope: "col", class: "words" }, "reason")));
    section.append(make("div", { class: "controls" }, byColumn.element, byOrder.element), note, make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table of the worst runs" }, make("table", {}, head, body)));
    fill();
    return { mark };
}

function start(study: Study): void {
    const outcomes = columnsOf(study, "outcome");
    const inputs = columnsOf(study, "input");
    const section = (id: string): HTMLElement => document.getElementById(id) ?? make("section");
    const rarest = outcomes.find((index) => study.columns[index]?.name !== "success") ?? outcomes[0] ?? -1;
    const choice = { outcome: rarest, x: -1, y: -1 };
    const card = runCard(study);
    let marks: { mark(row: number): void }[] = [];
    const pick = (row: number, opens: boolean): void => {
        const link = card.show(row);
        for (const item of marks) item.mark(row);
        if (opens && link) link.click();
        else if (opens) card.element.scrollIntoView({ block: "nearest" });
    };
    const scatter = new Scatter(study, pick);
    const threads = new Threads(study, pick);
    const chooseInputs = (): void => {
        const [x, y] = study.columns[choice.outcome]?.inputs ?? [];
        [choice.x, choice.y] = [x ?? inputs[0] ?? -1, y ?? inputs[1] ?? inputs[0] ?? -1];
    };
    chooseInputs();
    const listed = (indices: readonly number[]): [string, string][] => indices.map((index) => [String(index), study.columns[index]?.name ?? ""]);
    const drawAll = (): void => {
        across.select.value = String(choice.x);
        up.select.value = String(choice.y);
        scatter.draw(choice.outcome, choice.x, choice.y);
        threads.draw(choice.outcome);
    };
    const outcome = chooser("outcome", listed(outcomes), String(choice.outcome), (value) => {
        choice.outcome = Number(value);
        chooseInputs();
        drawAll();
    });
    const across = chooser("across", listed(inputs), String(choice.x), (value) => {
        choice.x = Number(value);
        drawAll();
    });
    const up = chooser("up", listed(inputs), String(choice.y), (value) => {
        choice.y = Number(value);
        drawAll();
    });
    const drawn = study.drawn.reduce((sum, one) => sum + one, 0);
    const sampled = study.stride === 1 ? `All ${study.rows} runs are drawn.` : `${drawn} of ${study.rows} runs are drawn: one in ${study.stride}, and the first 200 failures and the first 200 runs of each outcome that is rarer than that among them. The figures below and both ends of the table use all runs.`;
    section("outcomes").append(
        make("div", { class: "controls" }, outcome.element, across.element, up.element),
        make("p", { class: "note" }, `The default is the two inputs that correlate most with the outcome, by the rank correlation of the input or of its distance from its median. ${sampled}`),
        make("div", { class: "explore" }, make("figure", {}, scatter.element), card.element),
    );
    section("threads").append(threads.note, make("figure", {}, threads.element));
    marks = [scatter, threads, worstTable(study, section("worst"), pick)];
    if (outcomes.length === 0 || inputs.length === 0) section("outcomes").hidden = section("threads").hidden = true;
    else drawAll();
    if ((study.columns[choice.outcome]?.inputs?.length ?? 0) + (study.columns[choice.outcome]?.kept?.length ?? 0) < 2) section("threads").hidden = true;
    Object.assign(window, { fender: { ready: true, rows: study.run.length, placeOf: (run: number) => scatter.placeOf(study.run.indexOf(run)) } });
}

document.title = document.querySelector("h1")?.textContent ?? document.title;
const study = readStudy();
if (study) start(study);
