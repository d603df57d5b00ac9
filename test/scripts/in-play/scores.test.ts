import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { WireScores } from '../../../scripts/in-play/scores.ts';
import type { AccountChange } from '../../../src/account/changes.ts';
import type { PlayState, Score } from '../../../src/domain/events.ts';
import { eventId, requestUuid, sport } from '../../../src/domain/ids.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import type { HttpRequest, HttpTransport } from '../../../src/ports/transport.ts';
import { liveOrder } from '../../support/orders.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-03-01,1,2') };

/** A daemon of which only what is looked at is there. */
function followed() {
  const change$ = new Subject<AccountChange>();
  const scores = new WireScores();
  let play: PlayState = { inRunning: true, score: [1, 0] };
  let body = '{}';
  scores.follow({ market: { playOf: () => play }, change$ });
  const inner: HttpTransport = {
    send: () => Promise.resolve({ status: 201, headers: {}, body }),
    close: () => Promise.resolve(),
  };
  const wire = scores.through(inner);
  return {
    scores,
    answer: (text: string) => void (body = text),
    views: (score: Score | null, inRunning = true) => {
      play = { inRunning, score };
      scores.calls.onCall('a strategy', EVENT);
    },
    makes: (uuid: string) => {
      const id = selectionId(EVENT.sport, EVENT.eventId, 'h');
      const order = liveOrder({ ...EVENT, selectionId: id, requestUuid: requestUuid(uuid) });
      change$.next({ kind: 'order', order, before: null });
    },
    sends: (uuid: string, score?: Score) => {
      const text = JSON.stringify({ request_uuid: uuid, current_score: score });
      return wire.send({ method: 'POST', path: '/v2/orders/', body: text } as HttpRequest);
    },
  };
}

it('accepts the score of the view that decided an order, and no other', async () => {
  const { scores, views, makes, sends } = followed();
  views([1, 0]);
  makes('one');
  views([2, 0]);
  makes('two');
  await sends('one', [1, 0]);
  await sends('two', [2, 0]);
  expect(scores.counts).toEqual({ checked: 2, different: 0, refused: 0 });
  views([3, 0]);
  makes('refreshed');
  views([4, 0]);
  await sends('refreshed', [4, 0]);
  makes('none');
  await sends('none');
  await sends('unknown', [4, 0]);
  expect(scores.counts).toEqual({ checked: 5, different: 3, refused: 0 });
});

it('counts an order that is sent again once, and one of before the start not at all', async () => {
  const { scores, views, makes, sends, answer } = followed();
  views(null, false);
  makes('early');
  await sends('early');
  views([0, 0]);
  makes('one');
  await sends('one', [0, 0]);
  answer('{"non_field_errors":["event_scores_dont_match"]}');
  await sends('one', [0, 0]);
  expect(scores.counts).toEqual({ checked: 1, different: 0, refused: 1 });
});
