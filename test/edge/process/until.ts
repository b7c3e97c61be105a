/** Polls a condition of another process until it holds. */
export async function until(condition: () => boolean, ms = 5_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error('the condition did not come to hold');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
