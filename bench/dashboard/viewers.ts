/** Pages of the dashboard as the daemon sees them: followers of its event stream. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveEvent, LiveMessage, LiveSelection } from '../../src/read-model/live/message.ts';
import { afterMessage, eventsOf, selectionsOf, type View } from '../../src/web/dashboard/stream/view.ts';
import type { Place } from '../daemon.ts';

export interface Viewer {
  readonly seen: { bytes: number; first: LiveMessage | null };
  end(): void;
}

/** Follows the stream as a page does. Without `reads` it takes nothing. */
async function follow(place: Place, events: readonly string[], reads = true): Promise<Viewer> {
  const query = new URLSearchParams(events.map((event): [string, string] => ['event', event]));
  // As the page asks without ladders, and with them.
  query.append('everyMs', events.length === 0 ? '500' : '100');
  const url = new URL(`/live?${query.toString()}`, place.admin);
  const headers = { authorization: `Bearer ${place.token}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers }, resolve).on('error', reject).end();
  });
  const seen = { bytes: 0, first: null as LiveMessage | null };
  if (!reads) return { seen, end: () => response.destroy() };
  let text = '';
  response.on('data', (chunk: Buffer) => {
    seen.bytes += chunk.length;
    if (seen.first !== null) return;
    text += chunk.toString();
    const end = text.indexOf('\n\n');
    if (end >= 0) seen.first = JSON.parse(text.slice('data: '.length, end)) as LiveMessage;
  });
  response.on('error', () => undefined);
  while (seen.first === null) await delay(10);
  return { seen, end: () => response.destroy() };
}

const firstView = ({ seen: { first } }: Viewer): View | null =>
  first === null ? null : afterMessage(null, first, 0);

/** The events that a page sees at first, those with the most selections first. */
function eventsSeenBy(viewer: Viewer): readonly LiveEvent[] {
  const view = firstView(viewer);
  return view === null ? [] : eventsOf(view).toSorted((a, b) => b.selections - a.selections);
}

/** The events of the daemon, those with the most selections first. */
export async function eventsAt(place: Place): Promise<readonly LiveEvent[]> {
  const viewer = await follow(place, []);
  viewer.end();
  return eventsSeenBy(viewer);
}

/** The selections of each of these events. */
export async function selectionsAt(
  place: Place,
  events: readonly string[],
): Promise<readonly (readonly LiveSelection[])[]> {
  const viewer = await follow(place, events);
  viewer.end();
  const view = firstView(viewer);
  return events.map((key) => (view === null ? [] : selectionsOf(view, key)));
}

/** Opens five pages: three without ladders, a workspace, and a workspace that reads nothing. */
export async function fivePages(place: Place): Promise<{
  readonly phone: Viewer;
  readonly match: Viewer;
  readonly events: readonly LiveEvent[];
  end(): void;
}> {
  const phone = await follow(place, []);
  const events = eventsSeenBy(phone);
  const event = events[0]?.key ?? '';
  const match = await follow(place, [event]);
  const others = [await follow(place, []), await follow(place, []), await follow(place, [event], false)];
  const end = (): void => {
    for (const viewer of [phone, match, ...others]) viewer.end();
  };
  return { phone, match, events, end };
}
