/** Characters that move the cursor, start an escape sequence, or change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Makes foreign text safe for a terminal: on one line, with control characters replaced. */
export const plainText = (text: string): string => text.replace(CONTROLS, '\ufffd');
