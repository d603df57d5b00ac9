/**
 * Builds the page of a backtest's report from `src/web`: one HTML file with script and style inside, and a place for data.
 *
 *     node scripts/report-page.ts FILE
 *
 * The content security policy allows this script and this style by their hashes, and nothing else: no host, no image, no form.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { DATA_PLACE } from '../src/research/report/html.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Script and style of the page. Rejects with the bundler's error. */
async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const built = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      cssCodeSplit: false,
      // Vite rewrites light-dark() for older browsers into variables that the choice of colours cannot reach.
      cssTarget: 'chrome123',
      target: 'es2024',
      rolldownOptions: {
        input: path.join(ROOT, 'src/web/report/main.tsx'),
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput;
  let [script, style] = ['', ''];
  for (const part of built.output) {
    if (part.type === 'chunk') script += part.code;
    else if (part.fileName.endsWith('.css')) style += String(part.source);
  }
  if (script === '' || style === '') throw new Error('the bundler gave no script or no style');
  return { script: script.replaceAll('</script', String.raw`<\/script`), style };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function pageOf({ script, style }: { readonly script: string; readonly style: string }): string {
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Touchline backtest</title>
<style>${style}</style>
</head>
<body>
${DATA_PLACE}
<script>${script}</script>
</body>
</html>
`;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node scripts/report-page.ts FILE');
const page = pageOf(await bundle());
mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
// Two commands may build at once: a reader sees a whole page or none.
const unfinished = `${file}.${process.pid}`;
writeFileSync(unfinished, page);
renameSync(unfinished, file);
