/** What happened beside the Turns and the model should know; told once, and told again where the telling came to nothing. */

export class Notices {
  readonly #source: () => readonly string[];
  /** Told to nobody yet, or in vain. */
  #waiting: string[] = [];

  constructor(source: () => readonly string[]) {
    this.#source = source;
  }

  /** For one Step: `take` gives each notice once, `settle` says whether what was taken has reached the history. */
  forStep(): { take(): string[]; settle(committed: boolean): void } {
    let taken: string[] = [];
    return {
      take: () => {
        const fresh = [...this.#waiting, ...this.#source()];
        this.#waiting = [];
        taken.push(...fresh);
        return fresh;
      },
      settle: (committed) => {
        if (!committed) this.#waiting.unshift(...taken);
        taken = [];
      },
    };
  }
}
