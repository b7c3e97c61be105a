export async function runChat(): Promise<number> {
  return 1;
}
