/** What the browser keeps for the next visit. It has no secrets, and a browser that keeps nothing is no fault. */
export const kept = {
  /** The text under a name; null if there is none. */
  read(name: string): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name: string, text: string): void {
    try {
      localStorage.setItem(name, text);
    } catch {
      // It lasts as long as the page.
    }
  },
} as const;
