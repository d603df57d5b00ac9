import { describe, expect, it } from 'vitest';
import { PIECES } from '../../../src/read-model/live/message.ts';
import { afterMessage, type Shown, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import { absentInWords } from '../../../src/web/dashboard/words.ts';
import { SCENE_AT_MS, SCENES } from '../../support/dashboard-scenes.ts';
import { liveEvent } from '../../support/live-event.ts';
import { componentsIn, pressedPage } from '../../support/pressed-page.ts';

const { Payoffs } = await componentsIn('workspace/payoffs.tsx');
const { Selections } = await componentsIn('workspace/selections.tsx');
const { EventTable } = await componentsIn('workspace/event-table.tsx');

/** The event of the scene whose details are there. */
const HELD = liveEvent('fb|2026-03-07,1,2', { selections: 3, worst: -190.58 });
const NO_ANSWER = 'No answer from the daemon: not known.';

/** The page so long after a message that told these pieces. */
function shownWith(pieces: Readonly<Record<string, unknown>>, ageMs: number): Shown {
  const set = { ...SCENES.empty.pieces, ...pieces };
  const view = afterMessage(null, { atMs: SCENE_AT_MS, frameAtMs: null, isFirst: true, set }, 0);
  const shown = view === null ? null : shownAt(view, ageMs);
  if (shown === null) throw new Error('a scene can be shown');
  return shown;
}

describe('what is not there', () => {
  const event = { [PIECES.event(HELD.key)]: HELD };
  const selections = Object.entries(SCENES.busy.pieces).filter(([name]) =>
    name.startsWith(PIECES.selection('')),
  );
  const detailed = { ...event, ...Object.fromEntries(selections) };
  const bare = { [PIECES.event(HELD.key)]: { ...HELD, selections: 0 } };

  it.each([
    ['nothing, where the daemon has told of the event', detailed, 0, 'Nothing here.'],
    ['nothing, where the event has no selection', bare, 0, 'Nothing here.'],
    ['nothing, of an event that the daemon does not know', {}, 0, 'Nothing here.'],
    ['asked for, while its details have not come', event, 2_000, 'Asking …'],
    ['not known, without contact', event, 2_001, NO_ANSWER],
    ['not known, without contact, of a known event, too', detailed, 2_001, NO_ANSWER],
  ])('is %s', (_, pieces, ageMs, words) => {
    expect(absentInWords(shownWith(pieces, ageMs), HELD.key, 'Nothing here.')).toBe(words);
  });

  it('is not called nothing without contact: neither payoffs nor events', () => {
    const props = { event: HELD, payoffs: null, session: { token: 't', scope: 'read' } };
    const payoffs = pressedPage(Payoffs, { ...props, shown: shownWith(detailed, 0) });
    expect(payoffs.text()).toContain('No matched bet here depends on the score.');
    payoffs.show({ ...props, shown: shownWith(event, 9_000) });
    expect(payoffs.text()).toBe(`Payoffs by final score${NO_ANSWER}`);
    const list = { selections: [], trading: 'active', shown: [], absent: NO_ANSWER };
    expect(pressedPage(Selections, list).text()).toContain(NO_ANSWER);
    const desk = { event: null, ladders: [], pins: [], sort: 'worst', find: '', only: 'all' };
    const table = pressedPage(EventTable, { desk, selected: null, shown: shownWith({}, 9_000) });
    expect(table.text()).toContain(NO_ANSWER);
  });
});
