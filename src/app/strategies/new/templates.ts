/** The files of a new strategy, by name. */
export type Files = Readonly<Record<string, string>>;

/** What the files of a new strategy mention. */
export interface Naming {
  readonly name: string;
  /**
   * The address at which npm finds Touchline; null where it is installed around the folder. A version would send npm to its registry,
   * where the name is anybody's.
   */
  readonly touchline: string | null;
}

/** A strategy in the pure form with its test. */
export const pureFiles = (naming: Naming): Files => ({
  ...commonFiles(naming),
  'strategy.ts': PURE_STRATEGY.replaceAll('NAME', naming.name),
  'strategy.test.ts': `${TEST_HEAD}${PURE_TESTS}`,
});

/** A strategy in the stream form with its test. */
export const streamFiles = (naming: Naming): Files => ({
  ...commonFiles(naming),
  'strategy.ts': STREAM_STRATEGY.replaceAll('NAME', naming.name),
  'strategy.test.ts': `${TEST_HEAD}${STREAM_TESTS}`,
});

function commonFiles({ name, touchline }: Naming): Files {
  const manifest = {
    name,
    version: '0.0.1',
    private: true,
    type: 'module',
    engines: { node: '>=24.12' },
    scripts: {
      start: 'touchline start --set strategy.name=./strategy.ts',
      test: 'node --test',
      check: 'touchline strategy check ./strategy.ts',
      scenarios: 'touchline strategy test ./strategy.ts',
    },
    ...(touchline === null ? {} : { dependencies: { touchline } }),
  };
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': TSCONFIG,
    'README.md': README.replaceAll('NAME', name),
  };
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true
  },
  "files": ["strategy.ts"]
}
`;

const README = `# NAME

A strategy for Touchline.

| file               | what it is                                      |
| ------------------ | ----------------------------------------------- |
| \`strategy.ts\`      | the strategy: edit this                         |
| \`strategy.test.ts\` | its tests, on virtual time, without an exchange |

\`\`\`sh
npm test                # its tests
npm run check           # contract, types, determinism, real time, speed
npm run scenarios       # what it does in a goal, a trend, a lost stream …
npm start               # runs it on the embedded exchange, with simulated money
\`\`\`

To run it elsewhere, name the file as \`strategy.name\` in a configuration. Its parameters stand under \`[strategy.parameters]\` there.
`;

const PURE_STRATEGY = `import {
  defineStrategy,
  DIRECTIONS,
  logit,
  quoteTick,
  toMicros,
  topOfBook,
  type Wanted,
  weightedMid,
  z,
} from 'touchline/strategy';

const parameters = z.strictObject({
  halfSpread: z.number().min(0.001).max(1).default(0.04).describe('distance of each quote from fair, in log-odds'),
  contracts: z.number().min(1).max(10_000).default(20).describe('stake × price of each quote, in USDT'),
});

/** Quotes both sides of every selection, at the same distance from the middle of the other makers' prices. */
export default defineStrategy({
  name: 'NAME',
  description: 'quotes both sides around the middle of the market',
  parameters,
  quote(view, { halfSpread, contracts }) {
    const size = { contractsMicros: toMicros(contracts) };
    return view.selections.flatMap(({ selectionId, market, priceKinds }): Wanted[] => {
      // Null while a side is missing: then nobody knows what is fair.
      const top = topOfBook(market);
      if (top === null) return [];
      const fairProbability = weightedMid(top);
      const terms = { fairLogOdds: logit(fairProbability), halfSpread, minEdge: halfSpread, marginTicks: 1 };
      return DIRECTIONS.flatMap((direction): Wanted[] => {
        // What the prices of our orders are. Left out, it is the price of the selection.
        const priceKind = priceKinds?.[direction];
        const tick = quoteTick(direction, { ...terms, placement: 'model' }, top, priceKind);
        if (tick === null) return [];
        const reason = \`fair \${(1 / fairProbability).toFixed(2)}\`;
        const own = priceKind === undefined ? {} : { priceKind };
        return [{ selectionId, direction, tick, ...own, level: 0, size, fairProbability, reason }];
      });
    });
  },
});
`;

const STREAM_STRATEGY = `import {
  defineStrategy,
  type Direction,
  DIRECTIONS,
  logit,
  type OwnFill,
  quoteTick,
  rxjs,
  type SelectionView,
  toMicros,
  topOfBook,
  type Wanted,
  weightedMid,
  z,
} from 'touchline/strategy';

const parameters = z.strictObject({
  halfSpread: z.number().min(0.001).max(1).default(0.04).describe('distance of each quote from fair, in log-odds'),
  contracts: z.number().min(1).max(10_000).default(20).describe('stake × price of each quote, in USDT'),
  lean: z.number().min(0).max(1).default(0.01).describe('move of both quotes for each quote held, in log-odds'),
});

/** Contracts held of each selection: bought by \`for\` bets, sold by \`against\` bets. Plain data, so that it can be saved. */
type Held = Readonly<Record<string, number>>;

const booked = (held: Held, { selectionId, direction, price, stakeMicros }: OwnFill): Held => {
  const contracts = (stakeMicros / 1e6) * price * (direction === 'for' ? 1 : -1);
  return { ...held, [selectionId]: (held[selectionId] ?? 0) + contracts };
};

/** Quotes both sides around the middle of the market, and leans against what it holds. It remembers its fills over a restart. */
export default defineStrategy({
  name: 'NAME',
  description: 'quotes both sides around the middle of the market, and leans against its fills',
  parameters,
  quotes(view$, { fill$, keep, parameters$ }) {
    const held$ = fill$.pipe(keep('held', booked, {}));
    return view$.pipe(
      rxjs.withLatestFrom(held$, parameters$),
      rxjs.map(([view, held, chosen]) =>
        view.selections.flatMap((selection) => quotesOf(selection, held[selection.selectionId] ?? 0, chosen)),
      ),
    );
  },
});

function quotesOf(
  { selectionId, market, priceKinds }: SelectionView,
  held: number,
  { halfSpread, contracts, lean }: z.output<typeof parameters>,
): Wanted[] {
  // Null while a side is missing: then nobody knows what is fair.
  const top = topOfBook(market);
  if (top === null) return [];
  const fairProbability = weightedMid(top);
  // Who holds contracts values more of them lower.
  const fairLogOdds = logit(fairProbability) - lean * (held / contracts);
  const terms = { fairLogOdds, halfSpread, minEdge: halfSpread, marginTicks: 1, placement: 'model' } as const;
  return DIRECTIONS.flatMap((direction: Direction): Wanted[] => {
    // What the prices of our orders are. Left out, it is the price of the selection.
    const priceKind = priceKinds?.[direction];
    const tick = quoteTick(direction, terms, top, priceKind);
    if (tick === null) return [];
    const size = { contractsMicros: toMicros(contracts) };
    const reason = \`holds \${held.toFixed(0)} contracts\`;
    const own = priceKind === undefined ? {} : { priceKind };
    return [{ selectionId, direction, tick, ...own, level: 0, size, fairProbability, reason }];
  });
}
`;

const TEST_HEAD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from 'touchline/strategy';
import { aFill, aSelection, aView, playScenario, runStrategy, SCENARIOS } from 'touchline/testing';
import strategy from './strategy.ts';

const market = aSelection({ forTakers: [[1.98, 100]], againstTakers: [[2.02, 100]] });

test('it quotes both sides of the market', () => {
  const { intents, problems } = runStrategy(strategy).view(aView({ selections: [market] }));
  assert.deepEqual(problems, []);
  const prices = Object.fromEntries(intents.map(({ direction, tick }) => [direction, priceOf(tick)]));
  assert.ok(prices['against'] < 2 && prices['for'] > 2, JSON.stringify(prices));
});

test('it quotes nothing while a side is missing', () => {
  const oneSided = aSelection({ forTakers: [] });
  assert.deepEqual(runStrategy(strategy).view(aView({ selections: [oneSided] })).intents, []);
});

for (const scenario of SCENARIOS) {
  test(\`it survives the scenario \${scenario.name}\`, () => {
    const { problems, views } = playScenario(strategy, scenario);
    assert.deepEqual(problems, []);
    assert.ok(views > 0);
  });
}
`;

const PURE_TESTS = `
test('it answers alike before and after a fill: it looks at the market alone', () => {
  const run = runStrategy(strategy, { parameters: { contracts: 10 } });
  const before = run.view(aView({ selections: [market] }));
  run.fill(aFill(market));
  assert.deepEqual(run.view(aView({ selections: [market] })), before);
});
`;

const STREAM_TESTS = `
test('it leans against a fill, also after a restart', () => {
  const run = runStrategy(strategy, { parameters: { lean: 0.05 } });
  const tickFor = () =>
    run.view(aView({ selections: [market] })).intents.find(({ direction }) => direction === 'for')?.tick ?? NaN;
  const flat = tickFor();
  run.fill(aFill(market, { direction: 'against', price: 1.96, stakeMicros: 30e6 }));
  const short = tickFor();
  assert.ok(short < flat, 'short of contracts, it buys them dearer');
  run.restart();
  assert.equal(tickFor(), short);
});
`;
