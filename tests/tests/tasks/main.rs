//! Tasks: `nowait`, `depend`, guards, failures, on devices and on the host's threads.
mod data_and_tasks;
mod host_tasks;
mod hostile_tasks;
mod large_updates;
mod random_calls;
mod returned;
mod task_blocks;
mod task_failures;
mod task_forms;
mod tasks;
