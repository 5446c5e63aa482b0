//! Parallel loops: nests, iterators, loops in loops, atomics, conflicts that are decided at the launch, privacy, the host's threads.
mod accesses;
mod atomics;
mod conflicts;
mod forms;
mod teams;
mod tiles;
