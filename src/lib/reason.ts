/** The message of a thrown value, without a stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // `String` throws on an object without a prototype, and anything can be thrown.
    return `a thrown ${typeof error}`;
  }
}
