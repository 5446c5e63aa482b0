//! Kernels of public suites, each written as its authors would write it in Rust for a CPU: with helpers, closures, iterators,
//! structs and enums. A directive stands over the loop, and nothing else is written for it. Each program runs with its directives on every
//! device, and without them.
#![allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    reason = "the programs are as their authors write them"
)]

/// Results of two ways to compute the same: equal but for the rounding of floats.
trait Near {
    fn near(&self, other: &Self) -> bool;
}

macro_rules! floats {
    ($($t:ident $tolerance:literal)*) => { $(impl Near for $t {
        fn near(&self, other: &Self) -> bool {
            self == other
                || self.is_nan() && other.is_nan()
                || (self - other).abs() <= $tolerance * self.abs().max(other.abs()).max(1.0)
        }
    })* };
}
floats!(f32 2e-4 f64 1e-9);

macro_rules! exact {
    ($($t:ty)*) => { $(impl Near for $t {
        fn near(&self, other: &Self) -> bool {
            self == other
        }
    })* };
}
exact!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool char);

impl<T: Near> Near for Vec<T> {
    fn near(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.near(b))
    }
}

impl<T: Near> Near for Option<T> {
    fn near(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.near(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Near, const N: usize> Near for [T; N] {
    fn near(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.near(b))
    }
}

impl<A: Near, B: Near> Near for (A, B) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1)
    }
}

impl<A: Near, B: Near, C: Near> Near for (A, B, C) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1) && self.2.near(&other.2)
    }
}

impl<A: Near, B: Near, C: Near, D: Near> Near for (A, B, C, D) {
    fn near(&self, other: &Self) -> bool {
        self.0.near(&other.0) && self.1.near(&other.1) && self.2.near(&other.2) && self.3.near(&other.3)
    }
}

/// A result of structs and enums, by its debug text: the words are equal, and the floats but for their rounding.
#[derive(Debug)]
struct Shown(String);

impl Shown {
    fn of(value: impl std::fmt::Debug) -> Self {
        Self(format!("{value:?}"))
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split(|c: char| "[](){}, :".contains(c)).filter(|word| !word.is_empty())
    }
}

impl Near for Shown {
    fn near(&self, other: &Self) -> bool {
        let float = |word: &str| word.parse::<f64>().ok().filter(|_| word.parse::<i128>().is_err());
        let same = |(a, b): (&str, &str)| match (float(a), float(b)) {
            _ if a == b => true,
            (Some(a), Some(b)) => (a as f32).near(&(b as f32)),
            _ => false,
        };
        self.words().count() == other.words().count() && self.words().zip(other.words()).all(same)
    }
}

/// What a program of `twice!` returns is the same on every device as without directives.
macro_rules! port {
    ($name:ident: $run:expr) => {
        #[test]
        fn $name() {
            let plain = {
                use plain::*;
                $run
            };
            omp_tests::on_every_device(|d| {
                omp::set_default_device(d);
                let got = {
                    use device::*;
                    $run
                };
                assert!($crate::Near::near(&got, &plain), "device {d}: {got:?} is not {plain:?}");
            });
        }
    };
}

mod adam;
mod adi;
mod adi_lines;
mod adpcm;
mod aes;
mod aho_corasick;
mod aidw;
mod alignment;
mod american_vol;
mod amg_jacobi;
mod amg_setup;
mod amrex_advection;
mod aobench;
mod ascon;
mod asian_option;
mod asian_qmc;
mod audio;
mod babelstream;
mod backprop;
mod barnes_hut;
mod barrier_mc;
mod base64;
mod batched_lu;
mod batchnorm_pool;
mod bdf2_cells;
mod bellman_ford;
mod bezier;
mod bicg_dia;
mod bicgstab;
mod bignum;
mod bilateral;
mod bilateral_lut;
mod binomial;
mod biquad;
mod bitpack;
mod blake2s;
mod blake3_chunk;
mod blend_layers;
mod block_ilu;
mod block_solver;
mod bloom;
mod boids;
mod bonds;
mod bonds_curve;
mod bootstrap;
mod boris_pic;
mod boruvka;
mod bptree;
mod bqsr;
mod broadphase;
mod brusselator;
mod bspline_vgh;
mod bsr_coo;
mod bude_score;
mod bvh;
mod bvh_shadow;
mod bwt_mtf;
mod ca_rules;
mod canny;
mod card_games;
mod cdf97;
mod cdo_tranches;
mod cellular_fv;
mod chacha;
mod chem_kinetics;
mod chi2_gwas;
mod cholesky;
mod cholesky_small;
mod cic_deposit;
mod clahe;
mod cloth;
mod clover_advection;
mod clover_flux;
mod clover_hydro;
mod cloverleaf;
mod codons;
mod coloring;
mod coloured_symgs;
mod comd;
mod comd_eam;
mod comd_lj;
mod compression;
mod conjugate_gradient;
mod contours;
mod conv_backward;
mod conv_net;
mod convex;
mod convex_grid;
mod correlation;
mod crc_slices;
mod csr;
mod ctc;
mod cube_lut;
mod cuckoo;
mod curve25519;
mod cutcp;
mod d2q9;
mod d3q19;
mod d8_flow;
mod dct_blocks;
mod dem_walls;
mod demosaic;
mod depthwise;
mod dg_advection;
mod dihedrals;
mod distance_transform;
mod dog;
mod dopri_ensemble;
mod dpd;
mod dsmc;
mod dtmf;
mod dtw;
mod dual_reprojection;
mod dxt;
mod ed_limbs;
mod edge_list;
mod eikonal;
mod ekf_bank;
mod embedding_bag;
mod embeddings;
mod epidemic;
mod erasure_code;
#[rustfmt::skip] // as its author wrote it
mod erosion;
mod euler;
mod euler3d;
mod event_queue;
mod ewald;
mod expressions;
mod falling_sand;
mod fastq;
mod fdtd;
mod felsenstein;
mod fem;
mod fem_quad4;
mod fem_tet4;
mod fft;
mod fft_plan;
mod fir;
mod flash_attention;
mod floyd_warshall;
mod fm_index;
mod fmm_octree;
mod forest;
mod forest_fire;
mod forest_fire_ca;
mod fpc;
mod frechet_curves;
mod fv_faces;
mod gabor;
mod gap_bfs;
mod gap_cc;
mod gap_sssp;
mod gauss_seidel;
mod gaussian;
mod gaussian_mixture;
mod gay_berne;
mod gbdt;
mod gemm;
mod genetic;
mod geo_join;
mod geodesy;
mod ggml_quant;
mod ghash;
mod gicov;
mod givens_qr;
mod gmm;
mod gmres_arnoldi;
mod goertzel;
mod golomb_rice;
mod gorilla;
mod gotoh;
mod gqa_rope;
mod gradient_histograms;
mod gram_schmidt;
mod graph_attention;
mod group_by;
mod groupnorm;
mod gru;
mod gru_i8;
mod guided;
mod gups;
mod haccmk;
mod halide_apps;
mod harris;
mod hartree_fock;
mod hash_grid_xs;
mod hash_join;
mod hashes;
mod heartwall;
mod heat3d;
mod heat_adi_slices;
mod heat_boundaries;
mod hermite;
mod heston;
mod hex_snow;
mod hist_eq;
mod histo_sat;
mod hits;
mod hll;
mod hllc_euler;
mod hmm_forward;
mod hmm_forward_backward;
mod hotspot;
mod hotspot3d;
mod hourglass;
mod householder;
mod hpccg;
mod hpcg;
mod hpgmg_fv;
mod hsv;
mod huffman_table;
mod hydro_ppm;
mod hydro_remap;
mod ilu_spmv;
mod implied;
mod indicators;
mod int4_matmul;
mod interval_jobs;
mod interval_tree;
mod ising;
mod ising_heatbath;
mod iso_dates;
mod jaccard;
mod jacobi_eig;
mod jaro_winkler;
mod jds_spmv;
mod jenkins;
mod jpeg;
mod julia;
mod kalman;
mod kcore_hindex;
mod kd_tree;
mod kde;
mod keccak;
mod keccak_sponge;
mod kepler;
mod kmeans;
mod kmers;
mod knapsack;
mod knn;
mod kripke;
mod ktruss;
mod kv_attention;
mod lab_colour;
mod label_propagation;
mod laghos_mass;
mod lamb;
mod lanczos;
mod lane_changes;
mod langevin;
mod lavamd;
mod layernorm_grad;
mod lbm;
mod lbp;
mod lda_gibbs;
mod ldpc;
mod lenses;
mod levelset_reinit;
mod levenshtein;
mod levenshtein_rows;
mod lid_cavity;
mod life;
mod lifting;
mod linear_algebra;
mod linpack;
mod livermore;
mod lj_soa;
mod llama_block;
mod lmm;
mod local_entropy;
mod logistic;
mod lonestar_triangles;
mod louvain;
mod lsm_american;
mod lstm_cell;
mod lu_hyperplane;
mod lu_ssor;
mod luby;
mod luby_mis_coloring;
mod lud;
mod lulesh;
mod lulesh_eos;
mod lulesh_kinematics;
mod lulesh_monoq;
mod lulesh_volume;
mod lyapunov;
mod lz4;
mod lz_search;
mod lzss;
mod made_arrays;
mod madgwick;
mod mandelbrot;
mod marching;
mod matern;
mod matrix_views;
mod maxpool_grad;
mod mc_paths;
mod mc_transport;
mod md5;
mod md_cells;
mod md_view;
mod mdct;
mod meanshift;
mod median;
mod merge_join;
mod merkle;
mod mesh_view;
mod mfcc;
mod mfcc_deltas;
mod mfem_sum_factorisation;
mod mg_levels;
mod miller_rabin;
mod minhash;
mod minibude;
mod minife_assembly;
mod minighost;
mod minimizers;
mod miniweather;
mod mlp;
mod mode_products;
mod moe_router;
mod montgomery;
mod morphology;
mod mri;
mod msv_filter;
mod multigrid;
mod murmur3;
mod myers;
mod myocyte;
mod nas_bt;
mod nas_ft;
mod nas_sp;
mod nasch_traffic;
mod nbnxm;
mod nbody_tiles;
mod nearest_neighbor;
mod neighbour_list;
mod nekbone;
mod nelder_mead;
mod neutral;
mod newton_fractal;
mod nms;
mod normalise;
mod npb_ep;
mod npb_is;
mod npb_mg;
mod npc_states;
mod ntt;
mod ntt_poly;
mod nurbs;
mod nussinov;
mod obb_sat;
mod obj_normals;
mod ocean_columns;
mod octree_voxels;
mod ode_ensemble;
mod one_sided_svd;
mod optical_flow;
mod optimisers;
mod option_surface;
mod options;
mod order_books;
mod ostencil;
mod overlap_add;
mod pagerank;
mod pagerank_csr;
mod pairhmm;
mod parse_fixed;
mod particle_in_cell;
mod particle_swarm;
mod particlefilter;
mod parts_listed;
mod path_tracer;
mod pathfinder;
mod pbd_cloth;
mod pcisph;
mod pcr;
mod pcr_rows;
mod pennant_corners;
mod peridynamics;
mod periodic_md;
mod perlin;
mod permutation_test;
mod perona_malik;
mod petri_net;
mod phase_field;
mod philox;
mod photons;
mod pic_sort;
mod pme_spread;
mod pollard;
mod poly1305;
mod polygon_sdf;
mod polygon_triangulation;
mod polygons;
mod polymer;
mod polyphase;
mod power_iteration;
mod pq;
mod present_cipher;
mod proof_of_work;
mod protobuf;
mod qr_house;
mod qt_clustering;
mod quad_panels;
mod quadkeys;
mod quadrature;
mod quadtree;
mod quantised;
mod quat_ik;
mod queens;
mod quicksilver;
mod quicksilver_mc;
mod radix;
mod rainflow;
mod rajaperf;
mod random_walks;
mod rans;
mod raster;
mod ray_marcher;
mod real_trait;
mod register_machine;
mod resample;
mod resampler;
mod reverb;
mod rigid;
mod ripemd;
mod rk4;
mod roaring;
mod romberg;
mod rope;
mod rosenbrock;
mod rs_poles;
mod rsbench;
mod run_lengths;
mod s3d_rates;
mod sad;
mod sandpile;
mod sdf_scene;
mod seam_carving;
mod search;
mod secp_field;
mod seismic;
mod sell;
mod sessions;
mod sha256;
mod shake;
mod shallow_mesh;
mod shallow_water;
mod shan_chen;
mod sharing;
mod simd_json_scan;
mod simd_json_utf16;
mod simhash_shingles;
mod simple_vm;
mod simplemoc;
mod siphash;
mod siphash_table;
mod skinning;
mod slab_transport;
mod slic;
mod snap_like;
mod snap_sweep;
mod sobel_hough;
mod sobol_points;
mod softmax_ce;
mod sosfilt;
mod sparse_chol_levels;
mod sparse_formats;
mod speck;
mod spectral_element;
mod sph;
mod sph_density;
mod sphere_tracer;
mod spiking;
mod spin_chain;
mod srad;
mod sssp_delta;
mod statevector;
mod stencil;
mod stft;
mod stillinger_weber;
mod stockham;
mod streamcluster;
mod sturm;
mod su2_overrelax;
mod su3;
mod sudoku;
mod svd3;
mod sw_antidiagonal;
mod swaptions;
mod sweep3d;
mod swiglu;
mod swim;
mod synth;
mod tea_cheby;
mod tealeaf;
mod tensor3;
mod tetris;
mod thermal_lbm;
mod thomas_batch;
mod tone_mapping;
mod tpacf;
mod transformer;
mod triangle_count;
mod triangles_oriented;
mod tridiagonal;
mod trie_search;
mod trinomial;
mod trotter_suzuki;
mod truss;
mod tsunami;
mod tsvc;
mod two_opt;
mod two_stream;
mod two_stream_radiation;
mod union_find;
mod utf8;
mod value_iteration;
mod van_genuchten;
mod var_hist;
mod variant_pileup;
mod varint;
mod vec3;
mod view_convolve;
mod viterbi;
mod vlasov;
mod vmc_helium;
mod vol_mip;
mod volume;
mod voxel_dda;
mod voxels;
mod wav_convert;
mod wavelet;
mod wcsph;
mod weno_euler;
mod whitted;
mod wildcard;
mod wilson_dslash;
mod window_functions;
mod winograd;
mod winograd_f23;
mod wireworld;
mod wlc_pow;
mod worley;
mod xorshift_pi;
mod xs_lookup;
mod xsbench;
mod xsbench_lookups;
mod xxh64;
mod ycbcr;
mod zonal;
mod zone_maps;
