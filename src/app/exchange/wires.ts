/**
 * The network to an exchange: the only file that opens it. What the mode of a configuration does not let act on an exchange gets wires
 * that cannot.
 */
import { MODES } from '../../domain/mode.ts';
import { inForce, type KeyInForce, type Secret } from '../../domain/secret.ts';
import { observingWires } from '../../paper/observing.ts';
import { type RealExchange, realExchange, type RealObserver } from '../../paper/real-exchange.ts';
import { sharedLimits } from '../../paper/share.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpTransport, SocketTransport } from '../../ports/transport.ts';
import { Budgets, type EarlierBudgets, undiciTransport, wsTransport } from '../../venue/index.ts';
import type { Config } from '../config/load.ts';

export interface Wires {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
}

/** The addresses of an exchange. */
export interface Addresses {
  readonly restUrl: string;
  readonly streamUrl: string;
}

/** Wires that can send anything. */
export const actingWires = ({ restUrl, streamUrl }: Addresses, clock: Clock): Wires => ({
  http: undiciTransport({ baseUrl: restUrl, clock }),
  sockets: wsTransport({ url: streamUrl }),
});

type Configured = Pick<Config, 'mode' | 'exchange' | 'paper'>;

/** The configured exchange, for a program that is no daemon: with it everything, or only what reads and watches. */
export function wiresTo(config: Configured, apiKey: Secret | KeyInForce, clock: Clock): Wires {
  if (MODES[config.mode].actsOnExchange) return actingWires(config.exchange, clock);
  return observingWires(observedExchange(config, apiKey, clock));
}

/** What a paper run needs of it, beyond what a program that only observes does. */
interface Observing extends Partial<RealObserver> {
  readonly keepsBetslips?: boolean;
  /** What earlier runs took of the share. */
  readonly earlierBudgets?: EarlierBudgets;
}

/** The configured exchange as something to observe. */
export const observedExchange = (
  { exchange, paper: { share } }: Omit<Configured, 'mode'>,
  apiKey: Secret | KeyInForce,
  clock: Clock,
  { earlierBudgets, ...observing }: Observing = {},
): RealExchange =>
  realExchange({
    wires: actingWires(exchange, clock),
    keys: inForce(apiKey),
    budgets: new Budgets(clock, sharedLimits(share), earlierBudgets),
    clock,
    ...observing,
  });
