// Where a command writes.

export interface Output {
  write(text: string): void;
  error(text: string): void;
}
