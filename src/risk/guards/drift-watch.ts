import type { EventName } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { isSelectionOf } from '../../domain/selection.ts';

/** Samples closer together than this replace one another, so that a busy market costs no more than a quiet one. */
const SPACING_MS = 250;
/** So many samples that are too old are kept, before they are removed at once. */
const MOST_OLD = 256;

/** The samples of one selection, by time. Those before `#first` are too old. */
class Course {
  readonly #atMs: number[] = [];
  readonly #values: number[] = [];
  #first = 0;

  add(atMs: number, value: number): void {
    const before = this.#atMs.length - 2;
    if (before >= this.#first && atMs - (this.#atMs[before] as number) < SPACING_MS) {
      this.#atMs.pop();
      this.#values.pop();
    }
    this.#atMs.push(atMs);
    this.#values.push(value);
  }

  /** Leaves out the samples up to this instant. */
  dropUntil(atMs: number): void {
    const instants = this.#atMs;
    while (this.#first < instants.length && (instants[this.#first] as number) <= atMs) this.#first++;
    if (this.#first < MOST_OLD) return;
    this.#atMs.splice(0, this.#first);
    this.#values.splice(0, this.#first);
    this.#first = 0;
  }

  /** The largest distance between the last sample and any other; 0 without samples. */
  drift(): number {
    const values = this.#values;
    const last = values.at(-1) ?? 0;
    let far = 0;
    for (let at = this.#first; at < values.length; at++)
      far = Math.max(far, Math.abs((values[at] as number) - last));
    return far;
  }
}

/** How far the consensus of each selection has moved within a window of time. Time never goes back. */
export class DriftWatch {
  readonly #windowMs: number;
  readonly #courses = new Map<SelectionId, Course>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  observe(selectionId: SelectionId, value: number, nowMs: number): void {
    const course = this.#courses.get(selectionId) ?? new Course();
    this.#courses.set(selectionId, course);
    course.dropUntil(nowMs - this.#windowMs);
    course.add(nowMs, value);
  }

  /** Largest distance between the consensus now and any within the window; 0 when not known. */
  driftOf(selectionId: SelectionId, nowMs: number): number {
    const course = this.#courses.get(selectionId);
    course?.dropUntil(nowMs - this.#windowMs);
    return course?.drift() ?? 0;
  }

  forgetEvent(event: EventName): void {
    for (const id of this.#courses.keys()) if (isSelectionOf(event, id)) this.#courses.delete(id);
  }
}
