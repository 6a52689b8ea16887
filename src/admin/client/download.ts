/** Hands a value to the reader as a file of JSON. */
export function save(value: unknown, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
