// Generated from spec/ by `npm run generate`. Do not edit.
/** One broken rule: where in the value, which keyword, and what it asks. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export declare const ConnectAccountInput: Validator;
export declare const NoInput: Validator;
export declare const CreatePostInput: Validator;
export declare const ListReviewsInput: Validator;
export declare const ReplyReviewInput: Validator;
export declare const GetInsightsInput: Validator;
export declare const CallsLogInput: Validator;
export declare const InboxListInput: Validator;
export declare const InboxListResponse: Validator;
export declare const CustomersListInput: Validator;
export declare const CustomersListResponse: Validator;
export declare const DialerImportContactsInput: Validator;
export declare const DialerImportContactsResponse: Validator;
