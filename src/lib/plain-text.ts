/** Characters that move the cursor, start an escape sequence, or change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Control characters that JSON leaves as they are. */
const LEFT_BY_JSON = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** Makes JSON safe for a terminal: the same value, with escapes for control characters and for those that change the direction of text. */
export const plainJson = (json: string): string =>
  json.replace(LEFT_BY_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Makes foreign text safe for a terminal: on one line, with control characters replaced. */
export const plainText = (text: string): string => text.replace(CONTROLS, '\ufffd');
