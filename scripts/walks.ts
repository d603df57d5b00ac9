/**
 * Prints how many files and functions of the daemon run on two ways through it, on virtual time:
 *
 *     node scripts/walks.ts [--list]
 *
 * - from one frame to one order placed and one closed;
 * - from a fill to exposure, ledger, history and read model.
 *
 * V8 counts calls. The exchange and the code around the daemon are left out. `--list` names the functions by file.
 */
import process from 'node:process';
import { calledFunctions, type CalledFunctions } from './walks/called-functions.ts';
import { fillWalk, frameWalk } from './walks/ways.ts';

const isListed = process.argv.includes('--list');

function report(name: string, called: CalledFunctions): void {
  const functions = [...called.values()].reduce((sum, names) => sum + names.length, 0);
  console.log(JSON.stringify({ walk: name, files: called.size, functions }));
  if (!isListed) return;
  for (const [file, names] of [...called].sort()) console.log(`  ${file}: ${names.join(', ')}`);
}

report('frame', await calledFunctions(frameWalk));
report('fill', await calledFunctions(fillWalk));
