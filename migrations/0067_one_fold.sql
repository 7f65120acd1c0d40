-- One schedule folds all counts now, `platform.fold-counts`.
delete from jobs where key = 'schedule' and kind in (
  'emails.fold-counts', 'emails.fold-stored-bytes', 'topics.fold-counts', 'segments.fold-counts', 'contacts.fold-counts',
  'metrics.fold'
);
