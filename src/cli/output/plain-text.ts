/** What moves the cursor, starts an escape sequence, or turns the direction of what follows. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A text that others have written, for a terminal: on one line, and shown instead of obeyed. */
export const plainText = (text: string): string => text.replace(CONTROLS, '\ufffd');
