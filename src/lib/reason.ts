/** What went wrong, in the words of whatever was thrown, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // An object without a prototype has no text, and anything can be thrown.
    return `a thrown ${typeof error}`;
  }
}
