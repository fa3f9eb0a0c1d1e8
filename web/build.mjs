// Bundles the pages and puts script, style and licences of each into one HTML file.
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) throw new Error("usage: node build.mjs DIR");

const licence = async (name) => `${name}\n\n${(await readFile(join(web, "node_modules", name, "LICENSE"), "utf8")).trim()}`;

async function makePage(folder, marker, file, licences) {
    const bundle = await build({
        absWorkingDir: web,
        entryPoints: { script: `${folder}/main.ts`, style: `${folder}/style.css` },
        outdir: "out",
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: ["chrome111", "firefox113", "safari16.2"],
        charset: "ascii",
        legalComments: "none",
        logLevel: "warning",
    });
    const bundled = (name) => {
        const found = bundle.outputFiles.find((item) => item.path.endsWith(name));
        if (!found) throw new Error(`esbuild made no ${name}`);
        return found.text.trim();
    };
    const parts = { "@STYLE@": bundled("style.css"), "@SCRIPT@": bundled("script.js"), "@LICENCES@": licences };
    // Text inside <style> and <script> ends at the first closing tag, and <!-- changes how a script is read.
    for (const [name, text] of Object.entries(parts))
        if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} holds a tag that would end it early`);

    const template = await readFile(join(web, folder, "index.html"), "utf8");
    const html = template.replace(/@[A-Z]+@/g, (name) => parts[name] ?? name);
    if (html.split(marker).length !== 2) throw new Error("the page must hold the data marker exactly once");
    // Written beside and renamed, so that nobody ever embeds half a page.
    await writeFile(`${file}.new`, html);
    await rename(`${file}.new`, file);
    console.log(`${file}: ${html.length} bytes`);
}

await makePage("src", "<!-- FENDER-DATA -->", join(output, "viewer.html"), `\n${await licence("three")}\n\n\n${await licence("uplot")}\n`);
await makePage("src/study", "<!-- FENDER-STUDY -->", join(output, "study.html"), "");
