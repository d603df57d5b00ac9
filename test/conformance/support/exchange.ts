import { expect, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Feed, Inspection, Market, SimEvent } from '../../../src/simulator/core/api.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createExchange, type Exchange } from '../../../src/simulator/core/exchange.ts';
import {
  type AccountSpec,
  DEFAULT_SETTINGS,
  type ExchangeSettings,
} from '../../../src/simulator/core/settings.ts';
import { openApiDocument, openApiDocuments } from '../../../src/simulator/openapi/document.ts';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server/start-simulator.ts';
import { INSTANT } from '../../support/instant.ts';
import { Client } from './client.ts';
import { EVENT_ID, KEY, OTHER_KEY, READ_KEY, SECOND_KEY, START_MS } from './names.ts';
import { DocumentValidator } from './validator.ts';

const ACCOUNTS: readonly AccountSpec[] = [
  { accountId: 'anna', keys: [KEY, SECOND_KEY], readOnlyKeys: [READ_KEY], balanceMicros: toMicros(100_000) },
  { accountId: 'ben', keys: [OTHER_KEY], balanceMicros: toMicros(100_000) },
];

/** How long orders take by default. Most tests are about something else. */
export const UNHURRIED = {
  placementDelayMs: DEFAULT_SETTINGS.placementDelayMs,
  inPlayDelayMs: DEFAULT_SETTINGS.inPlayDelayMs,
  confirmationMs: DEFAULT_SETTINGS.confirmationMs,
} satisfies Partial<ExchangeSettings>;

export interface Options {
  /** Overrides an exchange of the convention `lay` that places, matches and confirms an order within one instant, with live offers. */
  readonly settings?: Partial<ExchangeSettings>;
  readonly accounts?: readonly AccountSpec[];
  readonly feeds?: readonly Feed[];
  /** False for an exchange without any event. */
  readonly priced?: boolean;
}

/** A whole exchange on a port. Only the test moves its time. */
export class ServedExchange {
  readonly clock: VirtualClock;
  readonly core: Exchange;
  readonly simulator: RunningSimulator;
  readonly validator: DocumentValidator;
  readonly #clients: Client[] = [];

  constructor(clock: VirtualClock, core: Exchange, simulator: RunningSimulator) {
    this.validator = validatorOf(core);
    this.clock = clock;
    this.core = core;
    this.simulator = simulator;
  }

  client(apiKey: string = KEY): Client {
    const client = new Client(this.simulator, this.validator, apiKey);
    this.#clients.push(client);
    return client;
  }

  /** Moves the exchange's time. */
  pass(seconds: number): Promise<void> {
    return this.clock.advance(seconds * 1000);
  }

  nowMs(): number {
    return this.clock.wallMs();
  }

  iso(offsetS = 0): string {
    return new Date(this.nowMs() + offsetS * 1000).toISOString();
  }

  /** Acts on the market at this instant. */
  market(act: (market: Market, nowMs: number) => void): void {
    this.simulator.host.run((nowMs) => act(this.core.market, nowMs));
  }

  /** Sets a background participant's resting stake. Stake resting `against` is offered to `for` takers. */
  rest(outcome: string, resting: Direction, at: number, stake: number, eventId = EVENT_ID): void {
    this.market((market, nowMs) => {
      market.setLevel('maker', { sport: 'fb', eventId, outcome }, resting, at, toMicros(stake), nowMs);
    });
  }

  inspect(): Inspection {
    return this.simulator.host.run(() => this.core.inspect());
  }

  /** Ends everything. Everything that a client received must agree with the exchange's own description. */
  async close(): Promise<void> {
    const problems = this.#clients.flatMap((client) => client.problems());
    for (const client of this.#clients) client.close();
    await this.simulator.close();
    expect(problems).toEqual([]);
  }
}

let validator: DocumentValidator | null = null;

/** Every exchange describes itself alike; compiling the description takes a while. */
const validatorOf = (core: Exchange): DocumentValidator =>
  (validator ??= new DocumentValidator(openApiDocument(core.endpoints)));

export const event = (over: Partial<SimEvent> = {}): SimEvent => ({
  sport: 'fb',
  eventId: EVENT_ID,
  eventType: 'normal',
  eventName: 'Alder v Birch',
  competitionId: 7,
  competitionName: 'Timber League',
  competitionCountry: 'GB',
  home: 'Alder',
  away: 'Birch',
  homeId: 1001,
  awayId: 1002,
  teams: [],
  startTimeMs: START_MS + 3_600_000,
  endTimeMs: null,
  ...over,
});

/** Starts an exchange with two accounts and, by default, one priced match. It is closed after the test. */
export async function exchange(options: Options = {}): Promise<ServedExchange> {
  const clock = new VirtualClock(START_MS);
  const core = createExchange({
    accounts: options.accounts ?? ACCOUNTS,
    feeds: options.feeds ?? [],
    parseBetType,
    random: seededRandom(1),
    startMs: START_MS,
    settings: { ...INSTANT, offersLagMs: 0, priceConvention: 'lay', ...options.settings },
  });
  const documents = openApiDocuments(core.endpoints);
  const simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0, documents });
  const started = new ServedExchange(clock, core, simulator);
  onTestFinished(() => started.close());
  if (options.priced !== false) price(started);
  return started;
}

/**
 * The home win offers `for` takers 2.2 and 2.1, `against` takers 2.3 and 2.4, 100 each. The draw and a total are
 * priced, too.
 */
export function price(on: ServedExchange, over: Partial<SimEvent> = {}): void {
  const sim = event(over);
  on.market((market, nowMs) => market.putEvent(sim, nowMs));
  on.rest('h', 'against', 2.2, 100, sim.eventId);
  on.rest('h', 'against', 2.1, 100, sim.eventId);
  on.rest('h', 'for', 2.3, 100, sim.eventId);
  on.rest('h', 'for', 2.4, 100, sim.eventId);
  on.rest('d', 'against', 3.3, 50, sim.eventId);
  on.rest('over,2.5', 'against', 1.9, 80, sim.eventId);
}
