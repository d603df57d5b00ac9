import type { AccountHistory } from '../../src/app/history/account-history.ts';
import type { ReconciliationStatus } from '../../src/read-model/status.ts';
import type { History } from '../../src/history/history.ts';
import { HistoryRecorder } from '../../src/history/recorder.ts';
import { IN_MEMORY, openHistory } from '../../src/history/sqlite-history.ts';
import { type TradingDays, UTC_DAYS } from '../../src/lib/trading-day.ts';
import { CalmDay, type CalmDayOptions } from './calm-day.ts';
import { StillMarket } from './still-market.ts';

const SYNC_AGE_MS = 300_000;
export const ACCOUNT = 'account-a';

/** A day on one still event, whose daemon keeps a history over all its runs. */
export class RememberedDay extends CalmDay {
  readonly market: StillMarket;
  /** Shared by the runs, as a file would be. */
  readonly history: History;
  /** Of the present run. */
  recorder: HistoryRecorder | null = null;

  constructor(options: CalmDayOptions = {}, days: TradingDays = UTC_DAYS) {
    super({ world: { events: 0 }, ...options });
    this.market = new StillMarket(this.world, 10_000);
    this.history = openHistory(IN_MEMORY, days);
    this.world.openHistory = ({ config, ...parts }) => {
      const { retentionDays } = config.history;
      const history = { ...this.history, close: () => undefined };
      const recorder = new HistoryRecorder({ ...parts, history, days, retentionDays });
      this.recorder = recorder;
      return { recorder, run: parts.run, days };
    };
  }

  get account(): AccountHistory {
    const { history } = this.run.composed;
    if (history === null) throw new Error('the run keeps no history');
    return history;
  }

  /** The exchange's record of the account. */
  get balanceMicros(): number {
    return this.world.inspectAccounts()[0]?.balanceMicros ?? NaN;
  }

  /** Moves money on the exchange alone. */
  moveMoney(amountMicros: number): void {
    const { wires, exchange } = this.world;
    wires.host.run((nowMs) => exchange.deposit(ACCOUNT, amountMicros, nowMs));
  }

  /** Reconciles once results from before the start can no longer arrive. */
  async reconcile(): Promise<ReconciliationStatus> {
    const before = this.account.report().last;
    void this.account.reconcile();
    for (let waitedMs = 0; waitedMs < SYNC_AGE_MS; waitedMs += 1_000) {
      await this.pass(1_000);
      const { pending, last } = this.account.report();
      if (!pending && last !== null && last.atMs !== before?.atMs) return last;
    }
    throw new Error(`not reconciled: ${this.account.report().why}`);
  }
}
