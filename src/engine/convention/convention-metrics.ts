import { PRICE_CONVENTIONS } from '../../domain/odds.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import type { ConventionStatus } from './convention-status.ts';

/** Registers the metrics of the convention. Returns a function that updates them. */
export function conventionMetrics(metrics: Metrics): {
  readonly update: (status: Pick<ConventionStatus, 'convention' | 'isProven' | 'votes'>) => void;
} {
  const known = knownValues('convention', PRICE_CONVENTIONS);
  const proven = metrics.gauge(
    'touchline_price_convention',
    'Whether the stream has proven in this run that against prices are of this convention',
    ['convention'],
    known,
  );
  const votes = metrics.gauge(
    'touchline_price_convention_votes',
    'Selections and sets whose prices are possible under this convention alone',
    ['convention'],
    known,
  );
  return {
    update(status) {
      for (const convention of PRICE_CONVENTIONS) {
        proven.set(status.isProven && status.convention === convention ? 1 : 0, { convention });
        votes.set(status.votes[convention], { convention });
      }
    },
  };
}
