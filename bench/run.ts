/**
 * `npm run bench`: every measurement, one process after the other. `npm run bench -- decode load` runs those whose file
 * names begin so.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)))
  .sort();

for (const file of files) {
  console.log(`\n${file}`);
  const args = ['--expose-gc', `${import.meta.dirname}/${file}`];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
