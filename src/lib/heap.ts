/** A binary min-heap over a caller-given order. Equal items come in any order: a sequence number in the order fixes it. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The least item, or undefined when empty. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    this.#items.push(item);
    this.#siftUp(this.#items.length - 1);
  }

  /** Removes and returns the least item, or undefined when empty. */
  pop(): T | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0 && last !== undefined) {
      this.#items[0] = last;
      this.#siftDown(0);
    }
    return top;
  }

  /** Removes an item if it is there. Linear search. */
  remove(item: T): void {
    const at = this.#items.indexOf(item);
    if (at < 0) return;
    const last = this.#items.pop() as T;
    if (at === this.#items.length) return;
    this.#items[at] = last;
    this.#siftUp(at);
    this.#siftDown(at);
  }

  #siftUp(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  #siftDown(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const least = this.#lesser(left, left + 1);
      if (least === undefined || !this.#swapIfBefore(least, at)) return;
      at = least;
    }
  }

  #lesser(left: number, right: number): number | undefined {
    const l = this.#items[left];
    const r = this.#items[right];
    if (l === undefined) return undefined;
    return r !== undefined && this.#before(r, l) ? right : left;
  }

  #swapIfBefore(child: number, parent: number): boolean {
    const c = this.#items[child] as T;
    const p = this.#items[parent] as T;
    if (!this.#before(c, p)) return false;
    this.#items[child] = p;
    this.#items[parent] = c;
    return true;
  }
}
