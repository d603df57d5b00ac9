/**
 * Both worlds on one virtual clock: exchanges that speak the API, their whole daemons, and the paper exchange between, as fast as the
 * machine can. The same seed gives the same fills, however busy the machine is.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { claimJournal } from '../../src/app/journal/journal-mode.ts';
import { openJournal } from '../../src/app/journal/open-journal.ts';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';
import { toMicros } from '../../src/domain/money.ts';
import type { PriceConvention } from '../../src/domain/odds.ts';
import type { SimulatedFill } from '../../src/domain/simulated-fill.ts';
import { seededRandom, uuidFrom } from '../../src/lib/random.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import { openPaperExchange, type PaperExchange } from '../../src/paper/paper-exchange.ts';
import { realExchange } from '../../src/paper/real-exchange.ts';
import { RequestTimes } from '../../src/paper/request-times.ts';
import { sharedLimits } from '../../src/paper/share.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import { uniformLatency } from '../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../src/simulator/in-process/transports.ts';
import { Budgets } from '../../src/venue/index.ts';
import { composeRun, KEY } from '../../test/sim/compose-run.ts';
import { SimProcess } from '../../test/sim/process.ts';
import { configText } from './daemon.ts';
import { WARM_UP_MS, type WorldFill, type WorldFills, worldFills, type WorldsOptions } from './fills.ts';
import { openWorld, tellQuotes, type ToldQuote, type World } from './world.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');
/** The time of a message in one direction between a daemon and its exchange. */
const LATENCY_MS = [10, 60] as const;
const STEP_MS = 10_000;
const BALANCE_USDT = 10_000_000;

interface Wires {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
}

/** Time, chance and what both daemons are told. */
interface Shared {
  readonly clock: VirtualClock;
  readonly seed: number;
  readonly folder: string;
  readonly convention: PriceConvention;
  /** Lines of the price source. */
  readonly told$: Subject<string>;
}

export async function runOnOneClock(options: WorldsOptions): Promise<WorldFills> {
  const { hours, seed, recorded, convention, halfSpread, folder } = options;
  const clock = new VirtualClock(START_MS);
  const choice = { seed, startMs: START_MS, recorded, convention, halfSpread, key: KEY };
  const [live, observed] = [await openWorld(choice), await openWorld(choice)];
  const shared: Shared = { clock, seed, folder, convention, told$: new Subject() };
  const quotes: ToldQuote[] = [];
  const paper: SimulatedFill[] = [];
  const wires = wiresTo(observed, shared);
  const onPaper = paperOver(wires, shared, (fill) => paper.push(fill));
  const stops = [
    await startDaemon('live', wiresTo(live, shared), shared),
    await startDaemon('paper', onPaper, shared),
  ];
  tellQuotes(observed, { sockets: wires.sockets, clock, halfSpread }, (rows) => {
    quotes.push(...rows);
    shared.told$.next(JSON.stringify(rows));
  });
  const untilMs = START_MS + hours * HOUR_MS;
  while (clock.wallMs() < untilMs) await clock.advance(Math.min(STEP_MS, untilMs - clock.wallMs()));
  for (const stop of stops) stop();
  const { trades } = observed.undisturbed;
  const fromMs = START_MS + WARM_UP_MS;
  return worldFills({ live: liveFills(live), paper, quotes, trades, convention, fromMs, untilMs });
}

function wiresTo({ core }: World, { clock, seed }: Shared): Wires {
  const latency = uniformLatency(seededRandom(seed, 'latency'), ...LATENCY_MS);
  return inProcessTransports({ core, clock, latency });
}

function paperOver(
  wires: Wires,
  { clock, seed, convention }: Shared,
  onFill: (fill: SimulatedFill) => void,
): PaperExchange {
  const times = new RequestTimes(seededRandom(seed, 'request times'));
  const paper = openPaperExchange({
    times,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    real: realExchange({
      wires,
      keys: new KeyInForce(new Secret(KEY)),
      budgets: new Budgets(clock, sharedLimits(1)),
      clock,
      onAnswer: (tookMs) => times.note(tookMs),
    }),
    balanceMicros: toMicros(BALANCE_USDT),
    settings: { eventStakeLimitMicros: null },
    fills: 'queue',
    onFill,
    kept: [],
    results: [],
    onKept: () => undefined,
    mostRegistrations: 1_000,
    random: seededRandom(seed, 'paper'),
  });
  // In a run, the daemon tells the convention once the prices have proven it.
  paper.setConvention(convention);
  return paper;
}

async function startDaemon(
  name: string,
  wires: Wires,
  { clock, seed, folder, convention, told$ }: Shared,
): Promise<() => void> {
  const process = new SimProcess(() => undefined);
  const ids = seededRandom(seed, `ids of ${name}`);
  const uuid = (): string => uuidFrom(ids);
  const journal = join(folder, `${name}.sqlite`);
  const file = join(folder, `${name}.toml`);
  const nowhere = { rest: 'http://127.0.0.1:1/v2/', stream: 'ws://127.0.0.1:1/v2/stream', control: '' };
  writeFileSync(file, configText('simulated', convention, nowhere, join(folder, 'quotes.jsonl'), journal));
  const config = loadConfig({ files: [file], environment: {}, settings: {} }).values;
  const memory = openJournal(journal, clock);
  const { installation, damage } = claimJournal(memory.journal, config, { uuid });
  const { composed, daemon } = await composeRun({
    process,
    config,
    memory,
    clock,
    damage: memory.damage ?? damage,
    ids: { uuid },
    claim: { installation, earlierOwner: memory.earlierOwner, isSoleUser: false, takesOver: false },
    logger: silentLogger,
    http: process.http(wires.http, clock),
    sockets: process.sockets(wires.sockets, clock),
    random: seededRandom(seed, `jitter of ${name}`),
    limits: {},
    sourceInputs: { lines: () => told$, http: nothing, socket: nothing },
  });
  const failed = (error: unknown): never => {
    throw new Error(`the ${name} daemon cannot continue`, { cause: error });
  };
  void composed.fatal.then(failed);
  void daemon.start();
  return () => memory.release();
}

const nothing = (): never => {
  throw new Error('only a file is read');
};

const liveFills = ({ core }: World): readonly WorldFill[] =>
  core.inspect().orders.flatMap(({ sport, eventId, betType, fills }) =>
    fills.map(({ price, stakeMicros, atMs, cause }) => ({
      event: `${sport}|${eventId}`,
      betType,
      price,
      stake: stakeMicros / 1e6,
      cause,
      atMs,
    })),
  );
