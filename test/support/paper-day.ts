import { openPaper } from '../../src/app/paper/open-paper.ts';
import type { EventName } from '../../src/domain/events.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';
import type { ToldResult } from '../../src/domain/bet-types/result.ts';
import type { HistoryReader } from '../../src/history/history.ts';
import type { TradingDays } from '../../src/lib/trading-day.ts';
import { realExchange } from '../../src/paper/real-exchange.ts';
import { sharedLimits } from '../../src/paper/share.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import type { Status } from '../../src/read-model/status.ts';
import { MODERATE } from '../../src/risk/limits/sections.ts';
import { Budgets } from '../../src/venue/index.ts';
import { NO_LOSS_LIMITS } from '../../scripts/soak/settings.ts';
import { KEY } from '../sim/compose-run.ts';
import type { PaperPlace, PaperRun } from '../sim/world.ts';
import type { CalmDayOptions } from './calm-day.ts';
import { RememberedDay } from './remembered-day.ts';

const PAPER = {
  mode: 'paper',
  'paper.fills': 'touch',
  'paper.placementDelay': '0',
  'paper.minOrderStakeUsdt': '0',
  // Paper has no limits of its own accord.
  ...flat({ risk: { ...MODERATE, loss: NO_LOSS_LIMITS } }),
};

/** Nested settings, each by its whole name; lists stay as they are by default. */
function flat(table: object, path = ''): Record<string, string> {
  const entries = Object.entries(table).map(([name, value]: [string, unknown]) => {
    const key = `${path}${name}`;
    if (Array.isArray(value)) return {};
    return typeof value === 'object' && value !== null ? flat(value, `${key}.`) : { [key]: String(value) };
  });
  return Object.assign({}, ...entries) as Record<string, string>;
}

/** A daemon on paper with its account, on the still market of an exchange that it places no order on. */
export class PaperDay extends RememberedDay {
  readonly #metrics: ReturnType<typeof createPrometheusMetrics>[] = [];

  constructor({ settings, ...options }: CalmDayOptions = {}, days?: TradingDays) {
    super({ ...options, settings: { ...PAPER, ...settings } }, days);
    this.world.openPaper = (place) => this.#openPaper(place);
  }

  /** Starts a run and waits until it quotes, unless it will not. */
  override async begin(quoting = true): Promise<void> {
    await super.begin(false);
    if (!quoting) return this.pass(2_000);
    await this.until('quoting', () => (this.run.composed.parts.orders.openOrders() ?? 0) > 1);
  }

  get status(): Status {
    return this.run.daemon.status();
  }

  get reader(): HistoryReader {
    return this.account.reader;
  }

  /** The exchange's prices cross a quote of ours, and come back. */
  async fill(): Promise<void> {
    const before = this.status.fills;
    this.market.move(2.2, 2.4);
    await this.until('a fill', () => this.status.fills > before);
    this.market.move(1.9, 2.1);
    await this.pass(3_000);
  }

  get event(): EventName {
    return { sport: sport('fb'), eventId: eventId(this.market.eventId) };
  }

  /** A person tells the result of the market's event, which has not started. */
  async tell(told: ToldResult): Promise<unknown> {
    const wish = { ...this.event, told, note: 'the page', beforeStart: true };
    const answer = this.controls.settlePaper(wish, 'anna');
    await this.pass(2_000);
    return answer;
  }

  /** The reads that left for the real exchange in all runs, as the metrics tell them. */
  async readsSent(): Promise<number> {
    const told = await Promise.all(this.#metrics.map((metrics) => metrics.expose()));
    return told.reduce(
      (sum, { text }) => sum + Number(/paper_sent_total\{kind="read"\} (\d+)/.exec(text)?.[1]),
      0,
    );
  }

  #openPaper({ config, http, sockets, journal, clock, logger }: PaperPlace): PaperRun {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    this.#metrics.push(metrics);
    const { exchange, account } = openPaper(config, {
      journal,
      clock,
      logger,
      metrics,
      note: (fact) => this.recorder?.note(fact),
      observe: (observer) =>
        realExchange({
          wires: { http, sockets },
          keys: new KeyInForce(new Secret(KEY)),
          budgets: new Budgets(clock, sharedLimits(1)),
          clock,
          ...observer,
        }),
    });
    exchange.setConvention(config.exchange.againstPrices === 'odds' ? 'odds' : 'lay');
    return { ...exchange, account };
  }
}
