export async function runAudit(): Promise<number> {
  return 1;
}
