export async function runSessions(): Promise<number> {
  return 1;
}
