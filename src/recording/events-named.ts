/** An event id inside a JSON text: a date and two parts, followed by the end of the string. */
const EVENT_ID = /"\d{4}-\d\d-\d\d,[^",\\]{1,64},[^",\\]{1,64}"/g;

/**
 * The event ids that a payload names, each once, in order. Finds them as whole JSON strings, without parsing: a frame may be
 * in any form, or broken. Ids without their sport, so events of two sports with the same id are found together.
 */
export function eventsNamed(payload: Uint8Array): readonly string[] {
  // Latin 1 costs one copy. An event id is ASCII, so its bytes are its text.
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('latin1');
  const named = new Set<string>();
  let last = '';
  EVENT_ID.lastIndex = 0;
  // A frame repeats its id hundreds of times, so a repetition makes no new text.
  while (EVENT_ID.test(text)) {
    const end = EVENT_ID.lastIndex - 1;
    const begin = text.lastIndexOf('"', end - 1) + 1;
    if (end - begin === last.length && text.startsWith(last, begin)) continue;
    last = text.slice(begin, end);
    named.add(last);
  }
  return [...named];
}
