import { eventId, sport } from '../domain/ids.ts';
import type { WatchedStream } from './real-exchange.ts';
import type { EventName } from '../domain/events.ts';

/** A command of the client on the stream, as far as a paper run passes it on. */
export type WatchCommand =
  | ({ readonly kind: 'register' | 'unregister' } & EventName)
  | { readonly kind: 'list' }
  | { readonly kind: 'echo'; readonly nonce: string };

/** Null for any other text. */
export function readWatchCommand(text: string): WatchCommand | null {
  const [name, ...args] = wordsOf(text);
  const [first, second] = args;
  if (name === 'list_registered_events') return { kind: 'list' };
  if (name === 'echo' && first !== undefined) return { kind: 'echo', nonce: first };
  if ((name !== 'register_event' && name !== 'unregister_event') || args.length !== 2) return null;
  if (first === undefined || second === undefined) return null;
  const kind = name === 'register_event' ? 'register' : 'unregister';
  return { kind, sport: sport(first), eventId: eventId(second) };
}

/** A list of texts; empty for anything else. */
function wordsOf(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? (list as string[]) : [];
  } catch {
    return [];
  }
}

export function giveCommand(stream: WatchedStream, command: WatchCommand): void {
  switch (command.kind) {
    case 'register':
      return stream.register(command);
    case 'unregister':
      return stream.unregister(command);
    case 'list':
      return stream.listRegistered();
    case 'echo':
      return stream.echo(command.nonce);
  }
}
