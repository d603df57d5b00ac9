import type { Refusals } from '../../../research/refusals.ts';
import type { HttpAnswer, HttpTransport } from '../../../ports/transport.ts';

/** The requests of one event to the exchange. */
interface EventRequests {
  readonly betslips: number;
  /** Orders and betslips that the exchange refused, by its code. */
  readonly refusals: Refusals;
}

interface Counts {
  betslips: number;
  readonly refusals: Map<string, number>;
}

const noCounts = (): Counts => ({ betslips: 0, refusals: new Map() });

const BETSLIPS = /^\/v2\/betslips\/?$/;
const ORDERS = /^\/v2\/orders\/?$/;

/** Counts requests of betslips and orders by event. */
export class CountedRequests {
  readonly #counts = new Map<string, Counts>();
  readonly #betslips = new Map<unknown, string>();

  /** The same transport, counted. */
  through(http: HttpTransport): HttpTransport {
    return {
      send: async (request) => {
        const answer = await http.send(request);
        const path = request.path.split('?', 1)[0] ?? '';
        if (request.method === 'POST' && request.body !== null) this.#count(path, request.body, answer);
        return answer;
      },
      close: () => http.close(),
    };
  }

  of(sport: string, eventId: string): EventRequests {
    const { betslips, refusals } = this.#counts.get(keyOf(sport, eventId)) ?? noCounts();
    return { betslips, refusals: Object.fromEntries(refusals) };
  }

  #count(path: string, body: string, { status, body: text }: HttpAnswer): void {
    const isBetslip = BETSLIPS.test(path);
    if (!isBetslip && !ORDERS.test(path)) return;
    const asked = JSON.parse(body) as Record<string, unknown>;
    const event = isBetslip
      ? keyOf(String(asked['sport']), String(asked['event_id']))
      : this.#betslips.get(asked['betslip_id']);
    if (event === undefined) return;
    const counts = this.#counts.get(event) ?? noCounts();
    this.#counts.set(event, counts);
    if (status >= 400) {
      const code = codeIn(text);
      counts.refusals.set(code, (counts.refusals.get(code) ?? 0) + 1);
    } else if (isBetslip) {
      counts.betslips++;
      this.#betslips.set(betslipIdIn(text), event);
    }
  }
}

const keyOf = (sport: string, eventId: string): string => `${sport},${eventId}`;

/** The exchange's code of a refusal. */
const codeIn = (text: string): string => (JSON.parse(text) as { readonly code?: string }).code ?? 'no_code';

const betslipIdIn = (text: string): unknown =>
  (JSON.parse(text) as { readonly data?: { readonly betslip_id?: unknown } }).data?.betslip_id;
