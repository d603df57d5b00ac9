import type { SimRequest, SimResponse } from '../core/api.ts';
import { type Carriage, dataOf, type RequestPlan, UNHARMED } from '../faults/request-plan.ts';
import type { Timers } from './exchange-time.ts';

/** How a shell answers a request: the answer and how it travels. `never` and `reset` carry no answer. */
export type Delivery =
  | { readonly carriage: Exclude<Carriage, 'never' | 'reset'>; readonly response: SimResponse }
  | { readonly carriage: 'never' | 'reset' };

export type Deliver = (delivery: Delivery) => void;
type Ask = (request: SimRequest) => SimResponse;

/** Carries out request plans: `ask` is the exchange itself, `deliver` the client's connection. */
export class FaultyRequests {
  readonly #ask: Ask;
  readonly #timers: Timers;

  constructor(ask: Ask, timers: Timers) {
    this.#ask = ask;
    this.#timers = timers;
  }

  /** Calls `deliver` exactly once, unless the host closes first; within this call when no fault applies. */
  submit(request: SimRequest, plan: RequestPlan, deliver: Deliver): void {
    if (plan === UNHARMED) return deliver({ carriage: 'whole', response: this.#ask(request) });
    if (plan.abandoned) deliver({ carriage: 'reset' });
    this.#timers.after(plan.beforeMs, () => this.#arrive(request, plan, deliver));
  }

  #arrive(request: SimRequest, plan: RequestPlan, deliver: Deliver): void {
    if (plan.betslipGone) this.#deleteBetslip(request);
    const own = this.#askTimes(request, plan);
    const response = plan.rewrites.reduce<SimResponse | null>(
      (answer, rewrite) => rewrite(answer, request),
      own,
    );
    if (plan.abandoned) return own?.release?.();
    this.#timers.after(plan.afterMs, () => this.#answer(response, own, plan.carriage, deliver));
  }

  #answer(response: SimResponse | null, own: SimResponse | null, carriage: Carriage, deliver: Deliver): void {
    if (response === null || carriage === 'never' || carriage === 'reset') {
      own?.release?.();
      return deliver({ carriage: carriage === 'reset' ? 'reset' : 'never' });
    }
    const release = own?.release;
    deliver({ carriage, response: release === undefined ? response : { ...response, release } });
  }

  #askTimes(request: SimRequest, { arrivals, answer }: RequestPlan): SimResponse | null {
    if (arrivals === 0) return null;
    const first = this.#ask(request);
    if (arrivals === 1) return first;
    const second = this.#ask(request);
    const [kept, dropped] = answer === 'first' ? [first, second] : [second, first];
    dropped.release?.();
    return kept;
  }

  #deleteBetslip({ apiKey, body }: SimRequest): void {
    const betslipId = dataOf({ status: 200, headers: {}, body: `{"data":${body}}` })?.['betslip_id'];
    if (typeof betslipId !== 'string') return;
    const target = `/v2/betslips/${encodeURIComponent(betslipId)}/`;
    this.#ask({ method: 'DELETE', target, apiKey, body: '' });
  }
}
