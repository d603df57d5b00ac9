/** `node --import` this file: at its end the process writes the addresses of the files that it loaded to stderr, as a JSON list. */
import { registerHooks } from 'node:module';
import process from 'node:process';

const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:') && !url.endsWith('/bench/starts/report-modules.ts')) loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write(`${JSON.stringify(loaded)}\n`));
