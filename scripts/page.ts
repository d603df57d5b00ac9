/**
 * Builds a page from `src/web`: one HTML file with script and style inside, or the script of a worker.
 *
 *     node scripts/page.ts report.html FILE
 *     node scripts/page.ts dashboard.html FILE
 *     node scripts/page.ts dashboard-worker.js FILE
 *
 * The content security policy of a page allows its script and its style by their hashes, and no other host.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { DATA_PLACE } from '../src/research/report/html.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Bundle {
  readonly script: string;
  readonly style: string;
}

/** Script and style of an entry. Rejects with the bundler's error. */
async function bundle(entry: string): Promise<Bundle> {
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
        input: path.join(ROOT, entry),
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput;
  let [script, style] = ['', ''];
  for (const part of built.output) {
    if (part.type === 'chunk') script += part.code;
    else if (part.fileName.endsWith('.css')) style += String(part.source);
  }
  if (script === '') throw new Error('the bundler gave no script');
  return { script, style };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface PageSettings {
  readonly title: string;
  /** The elements before the script. */
  readonly body: string;
  /** The content security policy allows this beside script and style. */
  readonly allows: string;
  /** More elements of the head. */
  readonly head?: string;
}

async function pageOf(entry: string, { title, body, allows, head = '' }: PageSettings): Promise<string> {
  const bundled = await bundle(entry);
  const script = bundled.script.replaceAll('</script', String.raw`<\/script`);
  const { style } = bundled;
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)};${allows} base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>${head}
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}

const FILES: Readonly<Record<string, () => Promise<string>>> = {
  'report.html': () =>
    pageOf('src/web/report/main.tsx', { title: 'Touchline backtest', body: DATA_PLACE, allows: '' }),
  'dashboard.html': () =>
    pageOf('src/web/dashboard/main.tsx', {
      title: 'Touchline',
      body: '<div id="dashboard"></div>',
      head: '<link rel="icon" type="image/svg+xml" href="/icon.svg">',
      allows: " connect-src 'self'; worker-src 'self'; img-src 'self';",
    }),
  'dashboard-worker.js': async () => (await bundle('src/web/dashboard/stream/worker.ts')).script,
};

const [name = '', file] = process.argv.slice(2);
const make = FILES[name];
if (make === undefined || file === undefined)
  throw new Error(`usage: node scripts/page.ts ${Object.keys(FILES).join('|')} FILE`);
const text = await make();
mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
// Two commands may build at once: a reader sees a whole page or none.
const unfinished = `${file}.${process.pid}`;
writeFileSync(unfinished, text);
renameSync(unfinished, file);
