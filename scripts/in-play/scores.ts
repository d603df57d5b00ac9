/** Compares the scores that orders assert on the wire with those of the views that decided them. */
import type { Observable } from 'rxjs';
import type { AccountChange } from '../../src/account/changes.ts';
import { eventKey, isFootball, isSameScore, type EventName, type Score } from '../../src/domain/events.ts';
import type { EventKey } from '../../src/domain/ids.ts';
import { selectionFrom } from '../../src/domain/selection.ts';
import type { MarketRead } from '../../src/market/index.ts';
import type { HttpTransport } from '../../src/ports/transport.ts';
import type { CallObserver } from '../../src/strategy/session.ts';

export interface ScoreCounts {
  /** Orders on football in play that were sent. */
  readonly checked: number;
  /** How many assert a `current_score` that is not the score of the view that decided them. */
  readonly different: number;
  /** How many the exchange refused because another score stood there. */
  readonly refused: number;
}

/** The score of a view; null before the start, and while no score is known. */
interface Seen {
  readonly isInPlay: boolean;
  readonly score: Score | null;
}

interface OrderBody {
  readonly request_uuid: string;
  readonly current_score?: Score;
}

/** The part of a daemon's core that the comparison looks at. */
interface FollowedCore {
  readonly market: Pick<MarketRead, 'playOf'>;
  readonly change$: Observable<AccountChange>;
}

const ORDERS = /^\/v2\/orders\/?$/;

/** Notes the score when a strategy is called, keeps it with each order that is made from then on, and looks at what is sent. */
export class WireScores {
  readonly #views = new Map<EventKey, Seen>();
  readonly #orders = new Map<string, Seen>();
  readonly #checked = new Set<string>();
  #different = 0;
  #refused = 0;
  #market: FollowedCore['market'] | null = null;

  readonly calls: CallObserver = {
    onCall: (_strategy, event) => this.#note(event),
    onReturn: () => undefined,
  };

  get counts(): ScoreCounts {
    return { checked: this.#checked.size, different: this.#different, refused: this.#refused };
  }

  /** Before the daemon starts. */
  follow({ market, change$ }: FollowedCore): void {
    this.#market = market;
    change$.subscribe({
      next: (change) => {
        if (change.kind !== 'order' || change.before !== null) return;
        const selection = selectionFrom(change.order.selectionId);
        const seen = selection === null ? undefined : this.#views.get(eventKey(selection));
        if (seen !== undefined) this.#orders.set(change.order.requestUuid, seen);
      },
      error: (error: unknown) => {
        throw error;
      },
    });
  }

  /** The same transport, looked at. */
  through(http: HttpTransport): HttpTransport {
    return {
      send: async (request) => {
        const isOrder = request.method === 'POST' && ORDERS.test(request.path.split('?', 1)[0] ?? '');
        if (isOrder) this.#check(JSON.parse(request.body ?? '{}') as OrderBody);
        const answer = await http.send(request);
        if (isOrder && answer.body.includes('event_scores_dont_match')) this.#refused++;
        return answer;
      },
      close: () => http.close(),
    };
  }

  #note(event: EventName): void {
    if (!isFootball(event.sport) || this.#market === null) return;
    const { inRunning, score } = this.#market.playOf(event);
    this.#views.set(eventKey(event), { isInPlay: inRunning, score });
  }

  /** An order that no view decided is different, too. */
  #check({ request_uuid: uuid, current_score: asserted }: OrderBody): void {
    const seen = this.#orders.get(uuid);
    if (seen !== undefined && !seen.isInPlay) return;
    this.#checked.add(uuid);
    const decided = seen?.score ?? null;
    if (decided === null || !isSameScore(decided, asserted ?? null)) this.#different++;
  }
}
