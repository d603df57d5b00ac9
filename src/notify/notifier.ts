import { momentOf } from '../lib/time.ts';
import type { Random } from '../lib/random.ts';
import { type Clock, repeat } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Channel } from './channel.ts';
import type { Conditions } from './conditions.ts';
import type { Notice, NotifyingRun } from './notice.ts';
import { NoticeLimit, type NoticeLimits } from './notice-limit.ts';
import { NoticeWatch } from './notice-watch.ts';
import { Outbox, OUTCOMES } from './outbox.ts';

export interface NotifierParts {
  readonly channels: readonly Channel[];
  readonly run: NotifyingRun;
  readonly limits: NoticeLimits;
  readonly dailySummary: boolean;
  readonly dayOf: (wallMs: number) => string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const LOOK_EVERY_MS = 1_000;

/** Notifies people of a run. Nothing here waits for a receiver, except `close`. */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #limit: NoticeLimit;
  readonly #watch: NoticeWatch;
  readonly #outboxes: readonly Outbox[];
  #stopLooking = (): void => undefined;

  constructor(parts: NotifierParts) {
    const { limits, dayOf, dailySummary } = parts;
    this.#parts = parts;
    this.#limit = new NoticeLimit(limits);
    this.#watch = new NoticeWatch({ limit: this.#limit, dayOf, dailySummary });
    this.#outboxes = outboxesOf(parts);
  }

  /** Looks at the state of the run every second. `read` gives null while there is nothing to judge. Does nothing without a channel. */
  watch(read: () => Conditions | null): void {
    const { channels, clock } = this.#parts;
    if (channels.length === 0) return;
    this.#stopLooking = repeat(clock, LOOK_EVERY_MS, () => {
      const conditions = read();
      if (conditions !== null) this.#send(this.#watch.look(conditions, momentOf(clock)));
    });
  }

  /** Notifies the end of the run, and gives the messages that wait so long to leave. */
  async close(end: { readonly text: string; readonly isFailure: boolean }, withinMs: number): Promise<void> {
    this.#stopLooking();
    this.#send(this.#watch.stopped(end.text, end.isFailure, momentOf(this.#parts.clock)));
    await Promise.all(this.#outboxes.map((outbox) => outbox.close(withinMs)));
  }

  #send(notices: readonly Notice[]): void {
    const { run, ids, clock } = this.#parts;
    for (const notice of notices) {
      const suppressed = this.#limit.takeSuppressed();
      const message = { ...notice, id: ids.uuid(), atMs: clock.wallMs(), run, suppressed };
      for (const outbox of this.#outboxes) outbox.add(message);
    }
  }
}

function outboxesOf({ channels, metrics, clock, random, logger }: NotifierParts): readonly Outbox[] {
  if (channels.length === 0) return [];
  const counter = metrics.counter('touchline_notifications_total', 'Notifications by channel and result', [
    'channel',
    'result',
  ]);
  return channels.map((channel) => {
    for (const result of OUTCOMES) counter.inc({ channel: channel.name, result }, 0);
    const onOutcome = (result: string): void => counter.inc({ channel: channel.name, result });
    return new Outbox({ channel, clock, random, logger, onOutcome });
  });
}
