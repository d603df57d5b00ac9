import { compose, type Composed } from '../../src/app/compose.ts';
import type { Config } from '../../src/app/config/load.ts';
import { requestLimitsOf, riskLimitsOf } from '../../src/app/config/part-options.ts';
import type { OpenJournal } from '../../src/app/journal/open-journal.ts';
import type { OpenHistory } from '../../src/app/history/open-history.ts';
import type { PaperAccount } from '../../src/app/paper/paper-account.ts';
import { Daemon } from '../../src/app/run/daemon.ts';
import type { JournalError } from '../../src/domain/errors.ts';
import type { AccountClaim } from '../../src/domain/installation.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Random } from '../../src/lib/random.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Ids } from '../../src/ports/ids.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { type Metrics, noMetrics } from '../../src/ports/metrics.ts';
import type { HttpTransport, SocketTransport } from '../../src/ports/transport.ts';
import type { Venue } from '../../src/ports/venue.ts';
import type { SourceInputs } from '../../src/strategy/price-source.ts';
import { createVenue, type VenueLimits } from '../../src/venue/index.ts';
import type { SimProcess } from './process.ts';

/** The key of the simulated account. */
export const KEY = 'canary-key-of-the-simulated-account';

/** The parts of one run. Clock, wires and logger are inside the border of `process`. */
export interface RunPlace {
  readonly process: SimProcess;
  readonly config: Config;
  readonly memory: Pick<OpenJournal, 'journal' | 'permit' | 'earlierBudgets' | 'watch'>;
  readonly damage: JournalError | null;
  readonly claim: AccountClaim;
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly limits: Partial<VenueLimits>;
  readonly venue?: (venue: Venue) => Venue;
  readonly sourceInputs?: SourceInputs;
  readonly history?: OpenHistory;
  /** The account of a daemon on paper. */
  readonly paper?: PaperAccount;
}

/** A daemon behind the border of a simulated process, wired like the real one. */
export async function composeRun(place: RunPlace): Promise<{ composed: Composed; daemon: Daemon }> {
  const { process, config, memory, clock, logger, metrics = noMetrics, damage, claim, ids } = place;
  const venue: Venue = createVenue({
    kind: 'simulated',
    apiKey: new Secret(KEY),
    http: place.http,
    sockets: place.sockets,
    random: place.random,
    clock,
    logger,
    requestTimeoutMs: 5_000,
    limits: { ...requestLimitsOf(config), ...place.limits },
    metrics: noMetrics,
    earlierBudgets: memory.earlierBudgets,
  });
  const composed = await compose(config, riskLimitsOf(config), {
    venue: place.venue?.(venue) ?? venue,
    journal: process.journal(memory.journal),
    damage,
    watchJournal: memory.watch,
    permit: process.file(memory.permit),
    killFile: null,
    claim,
    clock,
    ids,
    logger,
    metrics,
    auditEveryMs: 0,
    ...(place.paper === undefined ? {} : { paper: place.paper }),
    ...(place.history === undefined ? {} : { history: place.history }),
    ...(place.sourceInputs === undefined ? {} : { sourceInputs: place.sourceInputs }),
  });
  return {
    composed,
    daemon: new Daemon(composed, {
      strategies: composed.parts.core.strategies.names,
      exchange: 'simulated',
      version: '0.1.0',
      runId: '1-0a1b2c3d',
      ...(place.paper === undefined ? {} : { paper: place.paper }),
    }),
  };
}
