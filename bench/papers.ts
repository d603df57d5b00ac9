/**
 * `npm run bench:papers [-- --paths 20000] [--seed 1]`: reproduces the tables of Avellaneda and Stoikov (2008) by
 * simulation and prints the paper's figures beside ours. Ends with exit code 1 when a mean differs by more than 4
 * standard errors, a deviation by more than 12 %, or an average spread in its printed digits. With 20,000 paths, twenty
 * times the paper's, the error of a comparison is almost all the paper's own.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Figures, simulate } from './papers/avellaneda-stoikov.ts';
import { compare, type Compared, PRINTED } from './papers/tables.ts';

const OUTSIDE = 1;
const USAGE_ERROR = 2;
const OPTIONS = {
  paths: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
} as const;

const HEADINGS: Readonly<Record<keyof Figures, readonly [title: string, digits: number]>> = {
  averageSpread: ['average spread', 2],
  profit: ['profit', 1],
  profitDeviation: ['its deviation', 1],
  finalHeld: ['final q', 2],
  finalHeldDeviation: ['its deviation', 1],
};
const WIDTH = 20;

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`--${name}: ${text} is not a whole number of ${least} or more`);
}

function options(): { paths: number; seed: number } {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    return { paths: whole('paths', values.paths, 2), seed: whole('seed', values.seed, 0) };
  } catch (error) {
    console.error((error as Error).message);
    return process.exit(USAGE_ERROR);
  }
}

/** The paper's figure, ours, and a mark when ours is outside. */
function cell({ figure, printed, ours, share }: Compared): string {
  const [, digits] = HEADINGS[figure];
  const mark = share > 1 ? ' !' : '';
  return `${printed.toFixed(digits)}  ${ours.toFixed(digits + 1)}${mark}`.padStart(WIDTH);
}

const { paths, seed } = options();
console.log(`Avellaneda and Stoikov (2008), tables 1 to 3: paper  ours (${paths} paths, seed ${seed})\n`);
console.log(
  'γ     dealer    ' +
    Object.values(HEADINGS)
      .map(([title]) => title.padStart(WIDTH))
      .join(''),
);
let outside = 0;
let furthest = 0;
for (const { aversion, dealer, printed } of PRINTED) {
  const compared = compare(printed, simulate({ aversion, dealer, paths, seed }), paths);
  outside += compared.filter(({ share }) => share > 1).length;
  furthest = Math.max(furthest, ...compared.map(({ share }) => share));
  console.log(`${String(aversion).padEnd(6)}${dealer.padEnd(10)}${compared.map(cell).join('')}`);
}
console.log(
  `\n${outside} figures are outside 4 standard errors (means), 12 % (deviations) or the printed digits (spreads); ` +
    `the furthest uses ${(furthest * 100).toFixed(0)} % of what is allowed`,
);
if (outside > 0) process.exitCode = OUTSIDE;
