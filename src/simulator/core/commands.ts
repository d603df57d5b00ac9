/** Commands of clients on the stream (specification, Client commands). */

export type Command =
  | { readonly kind: 'register' | 'unregister'; readonly sport: string; readonly eventId: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'echo'; readonly args: readonly unknown[] };

export type ReadCommand = Command | { readonly kind: 'error'; readonly code: 'bad_json' | 'invalid_input' };

/** The deepest nesting of arrays and objects in an echo. */
const DEEPEST_ECHO = 1000;

/** Reads a client's frame: a JSON array of a command name and its arguments. */
export function readCommand(text: string): ReadCommand {
  const frame = parseArray(text);
  if (frame === null) return { kind: 'error', code: 'bad_json' };
  const [name, ...args] = frame;
  return commandOf(name, args) ?? { kind: 'error', code: 'invalid_input' };
}

function commandOf(name: unknown, args: readonly unknown[]): Command | null {
  if (name === 'register_event') return eventCommand('register', args);
  if (name === 'unregister_event') return eventCommand('unregister', args);
  if (name === 'list_registered_events') return args.length === 0 ? { kind: 'list' } : null;
  return name === 'echo' && isShallow(args, DEEPEST_ECHO) ? { kind: 'echo', args } : null;
}

/** Whether a value has at most this many levels. `JSON.stringify` fails on nesting that `JSON.parse` still reads. */
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1)));

/** Any two strings name an event. An empty or unknown name is an event that does not exist yet. */
function eventCommand(kind: 'register' | 'unregister', args: readonly unknown[]): Command | null {
  const [sport, eventId] = args;
  if (args.length !== 2 || typeof sport !== 'string' || typeof eventId !== 'string') return null;
  return { kind, sport, eventId };
}

/** The array of a text that is a JSON array with at least one element; else null. */
function parseArray(text: string): readonly unknown[] | null {
  try {
    const parsed = JSON.parse(text) as unknown;
    return Array.isArray(parsed) && parsed.length > 0 ? parsed : null;
  } catch {
    return null;
  }
}
