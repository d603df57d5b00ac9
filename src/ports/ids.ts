/** Unique names. */
export interface Ids {
  /** A fresh RFC 9562 UUID (any version). */
  uuid(): string;
}
