//! Searches and optimisation: trees, nearest neighbours, sorting, dynamic programming, puzzles, minimisation.
mod genetic;
mod interval_jobs;
mod kd_tree;
mod knapsack;
mod knn;
mod nearest_neighbor;
mod nelder_mead;
mod npb_is;
mod particle_swarm;
mod pathfinder;
mod quadtree;
mod queens;
mod radix_sort;
mod sat;
mod sudoku;
mod two_opt;
mod value_iteration;
