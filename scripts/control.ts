/**
 * `npm run control`: do the statistics of a backtest call luck an edge, and do they see an edge that is there?
 *
 *     npm run control -- --seed 7                  400 runs without an edge, and 400 with one of 1 % of stake
 *     npm run control -- --runs 20 --evenings 30
 *     npm run control -- --from 101 --runs 100 --out second        a piece: runs 101 to 200, kept in a file
 *     npm run control -- --merge first second                      the verdict over pieces
 *
 * Each run backtests `symmetric` over evenings on as many days, with the real engine, fills and statistics, and asks whether profit, the
 * closing-line value or the mark-out after a minute differs from zero, at the 5 % level for the three together: at a third of it for each.
 * Without an edge at most 33 of 400 may: a correct test exceeds 33 in 0.2 % of cases. With the edge at least 320 of 400 must. Prints a line
 * of JSON last; exits 1 if a bound is broken.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { toMicros } from '../src/domain/money.ts';
import { loadConfig } from '../src/app/config/load.ts';
import { riskLimitsOf } from '../src/app/config/part-options.ts';
import { strategyNamed } from '../src/app/strategies/load.ts';
import { bundledConfig } from '../src/app/adapters/own-files.ts';
import { runFast } from '../src/research/fast/engine.ts';
import { summarise } from '../src/research/statistics/summarise.ts';
import type { Estimate, ScenarioSummary } from '../src/research/summary.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import { eveningTape } from './control/evening.ts';
import { readPieces, wholeNumbers, writePiece } from './pieces.ts';

const LEVEL = 0.05;
const EDGE = 0.01;
/** Of 400 runs; other numbers of runs in proportion. */
const MOST_FALSE = 33 / 400;
const LEAST_FOUND = 320 / 400;

/** The control judges a run by these figures. */
const FIGURES = {
  profit: ({ settlement }: ScenarioSummary): Estimate => settlement,
  closing_line: ({ closingLine }: ScenarioSummary): Estimate => closingLine,
  mark_out: ({ markouts }: ScenarioSummary): Estimate | undefined =>
    markouts.find(({ horizonS }) => horizonS === 60),
} as const;
type Figure = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as Figure[];

const { values: options, positionals: pieces } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    runs: { type: 'string', default: '400' },
    evenings: { type: 'string', default: '60' },
    out: { type: 'string' },
    merge: { type: 'boolean', default: false },
  },
});
const { seed, from, runs, evenings } = wholeNumbers('control', {
  seed: options.seed,
  from: options.from,
  runs: options.runs,
  evenings: options.evenings,
});

const strategy = await strategyNamed('symmetric');
/** Far from the makers by itself, the strategy joins them: its orders then stand at the prices that trade. */
const parameters = parseParameters(strategy, { placement: 'join', halfSpread: 0.1, minEdge: 0.001 });
const limits = riskLimitsOf(
  loadConfig({ files: [bundledConfig('recorded')], environment: {}, settings: {} }).values,
);

async function run(number: number, edge: number): Promise<ScenarioSummary> {
  const tapes = async function* () {
    for (let evening = 0; evening < evenings; evening++)
      yield eveningTape({ seed: seed * 1_000_003 + number, evening, edge });
  };
  const [result] = await runFast({
    tapes,
    strategy,
    parameters,
    limits,
    balanceMicros: toMicros(1_000_000),
    scenarios: ['queue'],
    requestLatencyMs: 50,
    feedLatencyMs: 50,
    commission: 0,
    fromMs: null,
    toMs: null,
    seed,
  });
  if (result === undefined) throw new Error('the engine returned no scenario');
  return summarise(result, number);
}

/** What the figures say of one run. */
interface Judged {
  readonly significant: readonly Figure[];
  readonly fills: number;
  readonly mean: number;
}

/** The runs of a piece, without an edge and with the planted one. */
interface Piece {
  readonly none: readonly Judged[];
  readonly planted: readonly Judged[];
}

async function judgedRuns(edge: number): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let number = from; number < from + runs; number++) {
    const summary = await run(number, edge);
    const { fills, mean } = summary.closingLine;
    const significant = NAMES.filter((name) => isSignificant(FIGURES[name](summary), name, number));
    judged.push({ significant, fills, mean: mean ?? 0 });
    if (judged.length % 20 === 0)
      process.stderr.write(
        `edge ${edge}: ${judged.length} of ${runs}, ${judged.filter(isFound).length} significant\n`,
      );
  }
  return judged;
}

const isFound = ({ significant }: Judged): boolean => significant.length > 0;

function isSignificant(estimate: Estimate | undefined, name: Figure, number: number): boolean {
  const { pValue, reason } = estimate ?? { pValue: null, reason: 'it is missing' };
  if (pValue === null) throw new Error(`run ${number} has no p-value of ${name}: ${reason ?? ''}`);
  return pValue < LEVEL / NAMES.length;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const row = (all: readonly Judged[]) => ({
  significant: all.filter(isFound).length,
  ...Object.fromEntries(
    NAMES.map((name) => [name, all.filter(({ significant }) => significant.includes(name)).length]),
  ),
  fills_per_run: Math.round(mean(all.map(({ fills }) => fills))),
  mean: Number(mean(all.map((each) => each.mean)).toFixed(5)),
});

/** Prints what the runs say. Returns whether the bounds hold. */
function judge({ none, planted }: Piece): boolean {
  const [without, found] = [none, planted].map((all) => all.filter(isFound).length) as [number, number];
  const [most, least] = [MOST_FALSE * none.length, LEAST_FOUND * planted.length];
  console.log(
    `without an edge: ${without} of ${none.length} runs significant, at most ${Math.floor(most)} allowed`,
  );
  console.log(
    `with ${100 * EDGE} % of stake: ${found} of ${planted.length}, at least ${Math.ceil(least)} needed`,
  );
  const ok = without <= most && found >= least;
  console.log(
    JSON.stringify({ ok, seed, runs: none.length, evenings, without: row(none), planted: row(planted) }),
  );
  return ok;
}

if (options.merge) {
  const all = readPieces<Piece>(pieces);
  const ok = judge({
    none: all.flatMap(({ none }) => none),
    planted: all.flatMap(({ planted }) => planted),
  });
  process.exitCode = ok ? 0 : 1;
} else {
  const piece: Piece = { none: await judgedRuns(0), planted: await judgedRuns(EDGE) };
  if (options.out === undefined) process.exitCode = judge(piece) ? 0 : 1;
  else writePiece(options.out, piece);
}
