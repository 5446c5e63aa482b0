//! Statistics: resampling, densities, mixtures, clusters, regression, covariances, topics.
mod bootstrap;
mod correlation;
mod gaussian_mixture;
mod gmm;
mod kde;
mod kmeans;
mod ks_test;
mod lda_gibbs;
mod logistic;
mod matern;
mod meanshift;
mod permutation_test;
mod qt_clustering;
mod streamcluster;
mod trend_tests;
